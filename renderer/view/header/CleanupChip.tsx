import { Check, Eraser, OctagonAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SessionId } from '../../../app/base/id.ts';
import type { Cleanup } from '../../../app/cleanup/cleanup.ts';
import { useMachine, type Machine } from '../../store/machine.ts';
import { openDrawer } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { chipOf } from './chip.ts';

/** How the endings of this Session stand: under way, failed, or just over (ui.md, Cleanup). */
export function CleanupChip({ sessionId }: { readonly sessionId: SessionId }) {
  const { shell } = useText();
  const failed = useMachine((state) => countOf(state, sessionId, isFailed));
  const active = useMachine((state) => countOf(state, sessionId, isActive));
  const released = useMachine((state) => countOf(state, sessionId, isReleased));
  const clean = useJustGrown(released);
  const kind = chipOf({ failed, active, clean });
  const texts = { failed: shell.cleanupFailed, active: shell.cleaningUp(active), clean: shell.clean };
  const chip = kind && CHIPS[kind];
  return (
    <span role="status" className="chip-place">
      {chip && (
        <button type="button" className={`chip ${chip.colour}`} onClick={() => openDrawer('cleanup')}>
          <chip.icon size={14} aria-hidden="true" />
          {texts[kind]}
        </button>
      )}
    </span>
  );
}

const CHIPS = {
  failed: { colour: 'danger', icon: OctagonAlert },
  active: { colour: 'wait', icon: Eraser },
  clean: { colour: 'run', icon: Check },
} as const;

const CLEAN_MS = 3_000;

/** True for a while after the number has grown. */
function useJustGrown(number: number): boolean {
  const [last, setLast] = useState(number);
  const [grown, setGrown] = useState(0);
  if (number !== last) {
    setLast(number);
    if (number > last) setGrown(number);
  }
  useEffect(() => {
    if (grown === 0) return undefined;
    const timer = setTimeout(setGrown, CLEAN_MS, 0);
    return () => clearTimeout(timer);
  }, [grown]);
  return grown > 0;
}

function countOf({ cleanups }: Machine, sessionId: SessionId, counts: (cleanup: Cleanup) => boolean): number {
  let count = 0;
  for (const cleanup of cleanups.values()) if (cleanup.sessionId === sessionId && counts(cleanup)) count += 1;
  return count;
}

function isFailed({ failed }: Cleanup): boolean {
  return failed !== undefined;
}

function isActive({ failed, phase }: Cleanup): boolean {
  return failed === undefined && phase !== 'released';
}

function isReleased({ failed, phase }: Cleanup): boolean {
  return failed === undefined && phase === 'released';
}
