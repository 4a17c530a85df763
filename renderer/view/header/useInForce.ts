import { useMemo } from 'react';
import type { PolicyPair } from '../../../app/policy/fold.ts';
import { useView } from './useView.ts';

export interface InForce {
  /** Its name; undefined until the Session is open. */
  readonly preset: string | undefined;
  readonly now: PolicyPair | undefined;
}

/** What holds in the shown Session: read from its log, never from what was clicked. */
export function useInForce(): InForce {
  const preset = useView((view) => view.preset);
  const mode = useView((view) => view.mode);
  const policy = useView((view) => view.policy);
  const now = useMemo(() => mode && policy && { mode, policy }, [mode, policy]);
  return { preset, now };
}
