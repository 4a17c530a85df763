import type { SessionId } from '../../../app/base/id.ts';
import { useConnection } from '../../store/connection.ts';
import { useOpened } from '../../store/opened.ts';
import { go } from '../../store/place.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { Inherited } from './Inherited.tsx';
import { agentName, shortPath } from './names.ts';

/** Under the title: which Session it is a child of, who works in it, and where. */
export function Origins({ sessionId }: { readonly sessionId: SessionId }) {
  const dictionary = useText();
  const home = useConnection((state) => state.host?.userHome);
  const workspace = useSessions((state) => state.rows.get(sessionId)?.workspace);
  const parent = useSessions((state) => state.rows.get(sessionId)?.parent);
  const agent = useOpened(({ opened }) => (opened.kind === 'open' ? opened.header.agent : undefined));
  const isOpen = useOpened(({ opened }) => opened.kind === 'open');
  return (
    <p className="head-origins">
      {parent !== undefined && <Parent sessionId={parent} />}
      {isOpen && (
        <span className="clip agent" title={agent}>
          {agentName(agent, dictionary)}
        </span>
      )}
      {workspace && (
        <span className="clip path" title={workspace}>
          <bdi>{shortPath(workspace, home)}</bdi>
        </span>
      )}
    </p>
  );
}

function Parent({ sessionId }: { readonly sessionId: SessionId }) {
  const { common, shell } = useText();
  const title = useSessions((state) => state.rows.get(sessionId)?.title) || common.untitled;
  return (
    <>
      <button type="button" className="link clip" onClick={() => go({ kind: 'session', sessionId })}>
        {shell.childOf(title)}
      </button>
      <Inherited />
    </>
  );
}
