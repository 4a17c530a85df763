import { useMemo } from 'react';
import type { SessionId } from '../../../app/base/id.ts';
import { useMachine } from '../../store/machine.ts';
import { useText } from '../../text/text.ts';
import { CleanupRow } from './CleanupRow.tsx';

/** What is being ended, the newest first; of one Session, or of all. */
export function CleanupList({ sessionId }: { readonly sessionId?: SessionId }) {
  const cleanups = useMachine((state) => state.cleanups);
  const { cleanup } = useText();
  const shown = useMemo(
    () =>
      Array.from(cleanups.values())
        .filter((row) => sessionId === undefined || row.sessionId === sessionId)
        .toReversed(),
    [cleanups, sessionId],
  );
  if (shown.length === 0) return <p className="drawer-empty">{cleanup.nothing}</p>;
  return (
    <ul className="cleanups" aria-label={cleanup.cleanup}>
      {shown.map((row) => (
        <CleanupRow key={row.cleanupId} cleanup={row} named={sessionId === undefined} />
      ))}
    </ul>
  );
}
