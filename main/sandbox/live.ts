import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { ConfinedProcess } from './confined.ts';

/** A process that can be ended without waiting, when there is no time left to wait in. */
export interface Owned extends ConfinedProcess {
  /** SIGKILL to all of it, at once. */
  abandon(): void;
}

/** What a provider has started and what is on its way, by Session, so that ending it leaves nothing. */
export class Live {
  readonly #processes = new Map<Owned, string>();
  readonly #work = new Map<Promise<unknown>, string>();
  readonly #closing = new AbortController();
  /** Sandboxes die with the app anyway; what runs unconfined would outlive an uncaught error. */
  readonly #abandon = () => {
    for (const live of this.#processes.keys()) live.abandon();
  };

  constructor() {
    process.on('exit', this.#abandon);
  }

  /**
   * A launch that was given up, or whose provider was closed, while it came up: what came up is killed, unasked. What could
   * not be ended is not lost: whoever asked gets it, and can list it and try again.
   */
  async start(
    owner: string,
    launch: (signal: AbortSignal) => Promise<Owned | Unavailable>,
    signal: AbortSignal,
  ): Promise<ConfinedProcess | Unavailable> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    return this.during(owner, async () => {
      ended.throwIfAborted();
      const started = await launch(ended);
      if (started.kind === 'unavailable') return started;
      this.#keep(started, owner);
      if (!ended.aborted) return started;
      started.abandon();
      const closed = await started.close();
      if (!closed.ok) return started;
      throw ended.reason;
    });
  }

  /** Work that `end` and `close` wait for. */
  async during<T>(owner: string, work: () => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const running = work();
    this.#work.set(running, owner);
    try {
      return await running;
    } finally {
      this.#work.delete(running);
    }
  }

  async end(owner: string): Promise<void> {
    await Promise.allSettled(ofOwner(this.#work, owner));
    await endAll(ofOwner(this.#processes, owner));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox provider is closed'));
    await Promise.allSettled(this.#work.keys());
    await endAll([...this.#processes.keys()]);
    process.off('exit', this.#abandon);
  }

  #keep(started: Owned, owner: string): void {
    this.#processes.set(started, owner);
    const forget = () => this.#processes.delete(started);
    started.closed.then(forget, forget);
  }
}

function ofOwner<T>(map: ReadonlyMap<T, string>, owner: string): T[] {
  return [...map].flatMap(([item, itsOwner]) => (itsOwner === owner ? [item] : []));
}

async function endAll(processes: readonly ConfinedProcess[]): Promise<void> {
  const ends = await Promise.all(processes.map((live) => live.close()));
  const failed = ends.flatMap((closed) => (closed.ok ? [] : [new Error(closed.error)]));
  if (failed.length > 0) throw new AggregateError(failed, 'Some sandboxed processes did not end');
}
