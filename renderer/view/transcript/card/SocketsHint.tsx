import { useOpened } from '../../../store/opened.ts';
import { go } from '../../../store/place.ts';
import { useText } from '../../../text/text.ts';

/** A setting decides it, for this workspace alone; a person changes it, not the card. */
export function SocketsHint() {
  const { transcript } = useText();
  const workspace = useOpened(({ opened }) => (opened.kind === 'open' ? opened.header.workspace : undefined));
  if (workspace === undefined) return null;
  return (
    <p className="t-card-line t-card-hint">
      {transcript.sections.sockets}
      <button type="button" className="button" onClick={() => go({ kind: 'settings', workspace })}>
        {transcript.sections.workspaceSetting}
      </button>
    </p>
  );
}
