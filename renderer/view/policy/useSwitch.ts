import { useState } from 'react';
import { RequestError, type ErrorCode } from '../../../app/contract/reply.ts';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import { setPreset, type Switched } from '../../store/policy.ts';

/** What a choice in the selector led to. Never what is in force: that is read from the log. */
export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'recorded'; readonly seq: number; readonly stopping: Switched['stopping'] }
  | { readonly kind: 'failed'; readonly code: ErrorCode | undefined; readonly message: string };

export interface Switch {
  readonly outcome: Outcome;
  readonly choose: (preset: string) => void;
  readonly dismiss: () => void;
}

const NONE: Outcome = { kind: 'none' };

export function useSwitch(sessionId: SessionId): Switch {
  const [outcome, setOutcome] = useState<Outcome>(NONE);
  const choose = (preset: string): void => {
    setOutcome(NONE);
    setPreset(sessionId, preset).then(
      ({ seq, stopping }) => setOutcome(seq === undefined ? NONE : { kind: 'recorded', seq, stopping }),
      (fault: unknown) => setOutcome({ kind: 'failed', code: codeOf(fault), message: messageOf(fault) }),
    );
  };
  return { outcome, choose, dismiss: () => setOutcome(NONE) };
}

function codeOf(fault: unknown): ErrorCode | undefined {
  return fault instanceof RequestError ? fault.code : undefined;
}
