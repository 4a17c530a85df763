import { Cancelled } from '../base/cancel.ts';
import { observeChanges, type Change } from '../policy/change.ts';
import type { PolicyPair } from '../policy/fold.ts';
import type { PolicySubject } from '../policy/subject.ts';

/**
 * `waiting`: nothing has started, a changed policy is judged anew. `asking`: a person is being asked about exactly this
 * call under exactly this policy. `running`: started under its Mode.
 */
export type CallPhase = 'waiting' | 'asking' | 'running';

export interface Call {
  phase: CallPhase;
  readonly controller: AbortController;
}

/** The calls of one Session that have no result yet. A change cancels, at its commit, what asks or runs under the old policy. */
export class InFlightCalls {
  readonly #calls = new Set<Call>();
  readonly #unobserve: () => void;
  #changes = 0;

  constructor(subject: PolicySubject, fallback?: PolicyPair) {
    const changed = ({ kind, seq }: Change) => {
      this.#changes += 1;
      for (const call of this.#calls) if (call.phase !== 'waiting') call.controller.abort(new Cancelled({ kind, seq }));
    };
    this.#unobserve = observeChanges(subject, changed, fallback);
  }

  /** How many changes there were: a verdict taken at another count is out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** A call that also ends with `signal`. `leave` must be called when it has its result. */
  enter(signal: AbortSignal): { readonly call: Call; readonly leave: () => void } {
    const call: Call = { phase: 'waiting', controller: new AbortController() };
    const follow = () => call.controller.abort(signal.reason);
    if (signal.aborted) follow();
    signal.addEventListener('abort', follow, { once: true });
    this.#calls.add(call);
    return {
      call,
      leave: () => {
        signal.removeEventListener('abort', follow);
        this.#calls.delete(call);
      },
    };
  }

  close(): void {
    this.#unobserve();
  }
}
