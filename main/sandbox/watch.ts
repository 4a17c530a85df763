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

/**
 * Looks at what live sandboxes use, as long as there are any (sandbox.md, Limits). The kernel bounds what one process may
 * have; what a tree has together, it does not.
 */
export class Watch {
  readonly #everyMs: number;
  /** With the moment since which each is crowded. */
  readonly #watched = new Map<Watched, number | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(everyMs: number = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Until `gone` settles. */
  add(watched: Watched, gone: Promise<unknown>): void {
    this.#watched.set(watched, undefined);
    const forget = () => this.#forget(watched);
    gone.then(forget, forget);
    this.#plan(this.#everyMs);
  }

  get isIdle(): boolean {
    return this.#timer === undefined && !this.#looking;
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #plan(inMs: number): void {
    if (this.#timer || this.#looking || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => void this.#lookAtAll(), inMs).unref();
  }

  async #lookAtAll(): Promise<void> {
    this.#timer = undefined;
    this.#looking = true;
    const hot = await Promise.all(Array.from(this.#watched.keys(), (watched) => this.#lookAt(watched)));
    this.#looking = false;
    this.#plan(hot.includes(true) ? this.#everyMs / HOT_TIMES : this.#everyMs);
  }

  /** Whether it is near a limit. One that cannot be looked at is not ended for that. */
  async #lookAt(watched: Watched): Promise<boolean> {
    try {
      const use = await watched.look();
      return use !== undefined && this.#judge(watched, use);
    } catch {
      return false; // Out of descriptors, say: the next look may see it.
    }
  }

  #judge(watched: Watched, { tasks, memoryBytes }: TreeUse): boolean {
    const { limits } = watched;
    const crowdedMs = this.#crowdedFor(watched, tasks);
    watched.crowded(crowdedMs !== undefined);
    if (memoryBytes > limits.memoryBytes) watched.exceed('memory');
    // At the limit every start fails. That may pass; what lasts does not come out of it by itself.
    else if (tasks > limits.processes || (crowdedMs ?? 0) >= this.#everyMs) watched.exceed('process');
    return memoryBytes > limits.memoryBytes * HOT || tasks > limits.processes * HOT;
  }

  /** How long every look has found it at its limit of processes; undefined when this one did not. */
  #crowdedFor(watched: Watched, tasks: number): number | undefined {
    // The kernel counts the init or it does not, by how the sandbox was made: so the last place is the limit.
    const now = performance.now();
    const since = tasks >= watched.limits.processes - 1 ? (this.#watched.get(watched) ?? now) : undefined;
    if (this.#watched.has(watched)) this.#watched.set(watched, since);
    return since === undefined ? undefined : now - since;
  }
}
