import { useEffect, useState } from 'react';
import { useConnection } from '../../store/connection.ts';
import { useAttention } from './attention.ts';

/** So long has what is shown to stand before a focused, visible window, unchanged, before a press can count. */
const ARM_MS = 700;

/**
 * The token that presses are judged by (press.ts), or undefined while the buttons are not armed. `shown` names everything
 * that a person sees and presses; undefined: there is nothing to press. Whoever changes it, or leaves the window, or
 * loses the way to main, starts the time anew.
 */
export function useArmed(shown: string | undefined): string | undefined {
  const here = useAttention((attention) => attention.here);
  const turn = useAttention((attention) => attention.turn);
  const ready = useConnection(({ wire }) => wire.kind === 'ready');
  const token = here && ready && shown !== undefined ? `${turn} ${shown}` : undefined;
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    if (token === undefined) return undefined;
    const timer = setTimeout(() => setArmed(token), ARM_MS);
    return () => clearTimeout(timer);
  }, [token]);
  // The way to main, or a state, that comes back as it was has to stand before the person anew. For the window `turn` says so.
  useEffect(() => () => setArmed(undefined), [ready, shown]);
  return armed === token ? token : undefined;
}
