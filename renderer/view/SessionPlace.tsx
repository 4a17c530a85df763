import type { SessionId } from '../../app/base/id.ts';
import { useOpened } from '../store/opened.ts';
import { ApprovalDock } from './approval/ApprovalDock.tsx';
import { Composer } from './composer/Composer.tsx';
import { Header } from './header/Header.tsx';
import { SessionProblem } from './SessionProblem.tsx';
import { Transcript } from './transcript/Transcript.tsx';

/** One Session: what it is, what happened, what it asks, and what a person says to it. */
export function SessionPlace({ sessionId }: { readonly sessionId: SessionId }) {
  const failed = useOpened(({ opened }) => (opened.kind === 'failed' ? opened.message : undefined));
  return (
    <div className="session">
      <Header sessionId={sessionId} />
      {failed === undefined ? <Transcript sessionId={sessionId} /> : <SessionProblem message={failed} />}
      <ApprovalDock sessionId={sessionId} />
      <Composer sessionId={sessionId} />
    </div>
  );
}
