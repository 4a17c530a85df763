import type { SessionId } from '../../../app/base/id.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { TranscriptList } from './TranscriptList.tsx';
import './transcript.css';

/** What happened in a Session, in the order of its log (ui.md, Transcript). */
export function Transcript({ sessionId }: { readonly sessionId: SessionId }) {
  const open = useOpened(({ opened }) =>
    opened.kind === 'open' && opened.sessionId === sessionId ? opened : undefined,
  );
  const { transcript } = useText();
  if (open) return <TranscriptList open={open} />;
  return <section className="transcript" data-region="transcript" aria-label={transcript.label} aria-busy="true" />;
}
