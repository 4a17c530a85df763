import { setTimeout as delay } from 'node:timers/promises';
import type { Closed, EndPhase, Exit } from '../../app/sandbox/provider.ts';
import { until } from './until.ts';

/** A tree of processes as something that can be ended. */
export interface Tree {
  /** The leader's end, whoever caused it. */
  readonly exited: Promise<Exit>;
  /** Asks everything in it to end. */
  terminate(): void;
  /** Ends everything in it; called again until it is gone. */
  kill(): void;
  /** True when nothing of it is alive. */
  isGone(): boolean;
  /** Gives descriptors and listeners back; the tree is gone. */
  release(): Promise<void> | void;
}

export interface EndingOptions {
  /** Between asking and insisting. */
  readonly graceMs: number;
  /** How long a kill may take before the attempt counts as failed. */
  readonly killMs: number;
}

/** The one way in which a tree ends; `close()` twice is one attempt, and after a failed one it may be tried again. */
export class Ending {
  /** Resolves when nothing of the tree is alive, whoever ended it. */
  readonly closed: Promise<Exit>;
  readonly #tree: Tree;
  readonly #options: EndingOptions;
  readonly #gone = Promise.withResolvers<Exit>();
  readonly #listeners = new Set<(phase: EndPhase) => void>();
  #attempt: Promise<Closed> | undefined;
  #phase: EndPhase = 'asked';
  #killed = false;

  constructor(tree: Tree, options: EndingOptions) {
    this.#tree = tree;
    this.#options = options;
    this.closed = this.#gone.promise;
    // Awaited by whoever needs it; a fault reaches them there.
    this.closed.catch(() => undefined);
    void this.#watch();
  }

  /** True once force was used: an exit code of 137 is ours then. */
  get killed(): boolean {
    return this.#killed;
  }

  close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    if (onPhase) this.#listeners.add(onPhase);
    this.#attempt ??= this.#end().finally(() => this.#listeners.clear());
    return this.#attempt;
  }

  /** After the leader's own end the rest is looked at again and again, and holds nothing open. */
  async #watch(): Promise<void> {
    try {
      const exit = await this.#tree.exited;
      while (!(await until(() => this.#tree.isGone(), 500))) await delay(500, undefined, { ref: false });
      this.#gone.resolve(exit);
    } catch (fault) {
      this.#gone.reject(new Error('The end of a process could not be watched', { cause: fault }));
    }
  }

  async #end(): Promise<Closed> {
    try {
      this.#enter('asked');
      await this.#stop();
      const exit = await this.#tree.exited;
      this.#enter('exited');
      await this.#tree.release();
      this.#gone.resolve(exit);
      this.#enter('released');
      return { ok: true, exit };
    } catch (fault) {
      this.#attempt = undefined;
      return { ok: false, phase: this.#phase, error: fault instanceof Error ? fault.message : String(fault) };
    }
  }

  async #stop(): Promise<void> {
    if (this.#tree.isGone()) return;
    if (this.#options.graceMs > 0) {
      this.#enter('terminating');
      this.#tree.terminate();
      if (await until(() => this.#tree.isGone(), this.#options.graceMs)) return;
    }
    this.#enter('killing');
    this.#killed = true;
    const gone = () => {
      this.#tree.kill();
      return this.#tree.isGone();
    };
    if (!(await until(gone, this.#options.killMs)))
      throw new Error(`Still alive ${this.#options.killMs} ms after SIGKILL`);
  }

  #enter(phase: EndPhase): void {
    this.#phase = phase;
    for (const listener of this.#listeners) listener(phase);
  }
}
