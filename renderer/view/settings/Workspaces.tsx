import { useMemo } from 'react';
import type { Json } from '../../../app/base/json.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Section } from './Section.tsx';
import { WorkspaceRow } from './WorkspaceRow.tsx';

/** The workspaces that have settings of their own. `shown`: the one that a person has come for. */
export function Workspaces({ shown }: { readonly shown: string | undefined }) {
  const { forms } = useText();
  const words = forms.settings;
  const workspaces = useSettings(({ settings }) => settings['workspaces']);
  const paths = useMemo(() => pathsOf(workspaces, shown), [workspaces, shown]);
  return (
    <Section id="workspaces" title={words.workspaces} means={words.workspacesMean}>
      {paths.length === 0 ? (
        <p>{words.noWorkspace}</p>
      ) : (
        <ul className="workspace-rows" aria-label={words.workspaces}>
          {paths.map((path) => (
            <WorkspaceRow key={path} path={path} wanted={path === shown} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function pathsOf(workspaces: Json | undefined, shown: string | undefined): readonly string[] {
  const known = typeof workspaces === 'object' && workspaces !== null ? Object.keys(workspaces) : [];
  return [...new Set([...known, ...(shown === undefined ? [] : [shown])])].toSorted();
}
