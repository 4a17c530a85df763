import type { SessionId } from '../../../app/base/id.ts';
import { useMachine } from '../../store/machine.ts';
import { openDrawer } from '../../store/place.ts';
import { useText } from '../../text/text.ts';

/** How many Environments of this Session live; opens their list. */
export function EnvironmentChip({ sessionId }: { readonly sessionId: SessionId }) {
  const { shell } = useText();
  const count = useMachine(({ environments }) => {
    let found = 0;
    for (const row of environments.values()) if (row.sessionId === sessionId) found += 1;
    return found;
  });
  if (count === 0) return null;
  return (
    <button type="button" className="chip" onClick={() => openDrawer('environments')}>
      {shell.environments(count)}
    </button>
  );
}
