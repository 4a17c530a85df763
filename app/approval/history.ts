import type { ApprovalId, SessionId } from '../base/id.ts';
import type { Decided } from './outcome.ts';

interface Settled {
  readonly decided: Decided;
  readonly sessionId: SessionId;
  readonly subjectDigest: string;
}

/** So many settled questions are remembered, to tell a late answer who decided; an older one is unknown. */
const REMEMBERED = 10_000;

/** Questions that are over, and which of the granted ones has not been spent. */
export class History {
  readonly #settled = new Map<ApprovalId, Settled>();
  readonly #granted = new Set<ApprovalId>();

  add(id: ApprovalId, settled: Settled): void {
    this.#settled.set(id, settled);
    if (this.#settled.size <= REMEMBERED) return;
    // The oldest comes first. An unspent grant goes with it: it can no longer be compared with a call.
    for (const oldest of this.#settled.keys()) {
      this.#settled.delete(oldest);
      this.#granted.delete(oldest);
      break;
    }
  }

  decided(id: ApprovalId): Decided | undefined {
    return this.#settled.get(id)?.decided;
  }

  sessionOf(id: ApprovalId): SessionId | undefined {
    return this.#settled.get(id)?.sessionId;
  }

  /** Its decision is on disk. */
  grant(id: ApprovalId): void {
    this.#granted.add(id);
  }

  /** A wrong call spends nothing, and the right one may still come. */
  spend(id: ApprovalId, subjectDigest: string): boolean {
    return this.#settled.get(id)?.subjectDigest === subjectDigest && this.#granted.delete(id);
  }
}
