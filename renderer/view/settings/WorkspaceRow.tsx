import { useEffect, useRef } from 'react';
import type { Json } from '../../../app/base/json.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { valueAt } from './edit.ts';
import { Segments } from './Segments.tsx';
import { useSave, type Saving } from './useSave.ts';

interface WorkspaceRowProps {
  readonly path: string;
  /** A person has come for this one. */
  readonly wanted: boolean;
}

/** What one workspace has in place of what holds everywhere. */
export function WorkspaceRow({ path, wanted }: WorkspaceRowProps) {
  const { forms } = useText();
  const row = useRef<HTMLLIElement>(null);
  const { trouble, run } = useSave();
  useEffect(() => {
    if (!wanted) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
  }, [wanted]);
  return (
    <li ref={row} className="workspace-row" data-workspace={path}>
      <code>
        <Visible text={path} />
      </code>
      <Sockets path={path} run={run} />
      <ProjectHooks path={path} run={run} />
      {trouble !== undefined && (
        <p className="trouble" role="alert">
          {forms.settings.notSaved}: <Visible text={trouble} />
        </p>
      )}
    </li>
  );
}

interface SettingProps extends Pick<Saving, 'run'> {
  readonly path: string;
}

type SocketChoice = 'block' | 'private';

function Sockets({ path, run }: SettingProps) {
  const { forms } = useText();
  const words = forms.settings;
  const at = ['workspaces', path, 'launch', 'unixSockets'];
  const own = useSettings(({ settings }) => socketsIn(valueAt(settings, at)));
  const everywhere = useSettings(({ settings }) => socketsIn(valueAt(settings, ['launch', 'unixSockets'])));
  const value = own ?? everywhere ?? 'block';
  return (
    <>
      <Segments
        legend={words.sockets}
        name={`sockets ${path}`}
        value={value}
        options={words.socketChoices}
        onChoose={(to) => run({ at, to, seen: own })}
      />
      <p className="muted">{words.socketsMean[value]}</p>
    </>
  );
}

function ProjectHooks({ path, run }: SettingProps) {
  const { forms } = useText();
  const words = forms.settings;
  const at = ['workspaces', path, 'projectHooks'];
  const own = useSettings(({ settings }) => valueAt(settings, at));
  return (
    <>
      <Segments
        legend={words.projectHooks}
        name={`hooks ${path}`}
        value={own === true ? 'on' : 'off'}
        options={words.offOn}
        onChoose={(to) => run({ at, to: to === 'on', seen: own })}
      />
      <p className="muted">{words.projectHooksMean}</p>
    </>
  );
}

function socketsIn(value: Json | undefined): SocketChoice | undefined {
  return value === 'block' || value === 'private' ? value : undefined;
}
