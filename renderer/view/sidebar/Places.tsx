import { useWaitingCount } from '../../store/approvals.ts';
import { useMachine } from '../../store/machine.ts';
import { go, usePlace } from '../../store/place.ts';
import { useText } from '../../text/text.ts';

/** The places that are about every Session, each with how much there is in it. */
export function Places() {
  return (
    <ul className="places">
      <li>
        <Approvals />
      </li>
      <li>
        <Cleanup />
      </li>
    </ul>
  );
}

function Approvals() {
  const { shell } = useText();
  const here = usePlace((state) => state.place.kind === 'approvals');
  const waiting = useWaitingCount();
  return (
    <button
      type="button"
      className="place"
      aria-current={here ? 'page' : undefined}
      onClick={() => go({ kind: 'approvals' })}
    >
      <span className={waiting > 0 ? 'clip strong' : 'clip'}>{shell.approvals}</span>
      {waiting > 0 && <Count colour="wait" count={waiting} means={shell.waitingCount(waiting)} />}
    </button>
  );
}

function Cleanup() {
  const { shell } = useText();
  const here = usePlace((state) => state.place.kind === 'cleanup');
  const active = useMachine(({ cleanups }) => {
    let count = 0;
    for (const { failed, phase } of cleanups.values()) if (!failed && phase !== 'released') count += 1;
    return count;
  });
  const failed = useMachine(({ cleanups }) => {
    let count = 0;
    for (const cleanup of cleanups.values()) if (cleanup.failed) count += 1;
    return count;
  });
  const all = active + failed;
  return (
    <button
      type="button"
      className="place"
      aria-current={here ? 'page' : undefined}
      onClick={() => go({ kind: 'cleanup' })}
    >
      <span className={all > 0 ? 'clip strong' : 'clip'}>{shell.cleanup}</span>
      {all > 0 && <Count colour={failed > 0 ? 'danger' : ''} count={all} means={shell.cleanupCount(active, failed)} />}
    </button>
  );
}

interface CountProps {
  readonly colour: string;
  readonly count: number;
  /** The number in words, for whoever does not see its colour. */
  readonly means: string;
}

function Count({ colour, count, means }: CountProps) {
  return (
    <span className={`count ${colour}`} title={means}>
      <span aria-hidden="true">{count}</span>
      <span className="heard">{means}</span>
    </span>
  );
}
