import type { Limits } from '../../app/sandbox/policy.ts';
import type { Exceeded } from '../../app/sandbox/provider.ts';
import type { TreeUse } from './treeUse.ts';

/** A live sandbox as the watch sees it. */
export interface Watched {
  readonly limits: Pick<Limits, 'memoryBytes' | 'processes'>;
  /** Undefined when it is gone. */
  look(): Promise<TreeUse | undefined>;
  /** It is at its limit of processes, or not any more: inside nothing more can be started. */
  crowded(is: boolean): void;
  /** Ends all of it, at once. */
  exceed(limit: Exclude<Exceeded, 'temp'>): void;
}

const EVERY_MS = 1000;
/** Who has used this part of a limit is looked at more often: the rest is used up in less than a second. */
const HOT = 0.5;
const HOT_TIMES = 10;

/** A look takes at most one part in so many of the time: what is slow to look at must not keep us busy. */
const REST = 9;

/**
 * Looks at what live sandboxes use, as long as there are any (sandbox.md, Limits). The kernel bounds what one process may
 * have; what a tree has together, it does not. Each is looked at on its own: one that is slow to look at hides no other.
 */
export class Watch {
  readonly #everyMs: number;
  readonly #lookouts = new Set<Lookout>();

  constructor(everyMs: number = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Until `gone` settles. */
  add(watched: Watched, gone: Promise<unknown>): void {
    const lookout = new Lookout(watched, this.#everyMs);
    this.#lookouts.add(lookout);
    const forget = () => {
      lookout.stop();
      this.#lookouts.delete(lookout);
    };
    gone.then(forget, forget);
  }

  get isIdle(): boolean {
    return this.#lookouts.size === 0;
  }
}

/** The looks at one sandbox. */
class Lookout {
  readonly #watched: Watched;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Every look since then has found it at its limit of processes. */
  #crowdedSince: number | undefined;

  constructor(watched: Watched, everyMs: number) {
    this.#watched = watched;
    this.#everyMs = everyMs;
    this.#plan(everyMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #plan(inMs: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#next(), inMs).unref();
  }

  async #next(): Promise<void> {
    const began = performance.now();
    const isHot = await this.#look();
    const tookMs = performance.now() - began;
    this.#plan(Math.max(isHot ? this.#everyMs / HOT_TIMES : this.#everyMs, tookMs * REST));
  }

  /** Whether it is near a limit. One that cannot be looked at is not ended for that. */
  async #look(): Promise<boolean> {
    try {
      const use = await this.#watched.look();
      return use !== undefined && !this.#stopped && this.#judge(use);
    } catch {
      return false; // Out of descriptors, say: the next look may see it.
    }
  }

  #judge({ tasks, memoryBytes }: TreeUse): boolean {
    const { limits } = this.#watched;
    const crowdedMs = this.#crowdedFor(tasks);
    this.#watched.crowded(crowdedMs !== undefined);
    if (memoryBytes > limits.memoryBytes) this.#watched.exceed('memory');
    // At the limit every start fails. That may pass; what lasts does not come out of it by itself.
    else if (tasks > limits.processes || (crowdedMs ?? 0) >= this.#everyMs) this.#watched.exceed('process');
    return memoryBytes > limits.memoryBytes * HOT || tasks > limits.processes * HOT;
  }

  /** Undefined when it is not crowded. */
  #crowdedFor(tasks: number): number | undefined {
    const now = performance.now();
    // The kernel counts the init or it does not, by how the sandbox was made: so the last place is the limit.
    this.#crowdedSince = tasks >= this.#watched.limits.processes - 1 ? (this.#crowdedSince ?? now) : undefined;
    return this.#crowdedSince === undefined ? undefined : now - this.#crowdedSince;
  }
}
