import type { SessionId } from '../../../app/base/id.ts';
import { useMachine } from '../../store/machine.ts';
import { openDrawer } from '../../store/place.ts';
import { useText } from '../../text/text.ts';

/** How many jobs of this Session live; opens their list. */
export function JobChip({ sessionId }: { readonly sessionId: SessionId }) {
  const { jobs: words } = useText();
  const count = useMachine(({ jobs }) => {
    let found = 0;
    for (const row of jobs.values()) if (row.sessionId === sessionId && row.state !== 'ended') found += 1;
    return found;
  });
  if (count === 0) return null;
  return (
    <button type="button" className="chip" data-chip="jobs" onClick={() => openDrawer('jobs')}>
      {words.count(count)}
    </button>
  );
}
