import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the old one may take to end before it is killed. */
const PATIENCE_MS = 3_000;

export interface Running {
  readonly child: ChildProcess;
  /** Resolves when it can be used, and when it has ended before. */
  readonly begun: Promise<void>;
}

/** A program that gives way to a new one when its sources have changed. */
export class Program {
  readonly #start: () => Promise<Running | undefined>;
  #child: ChildProcess | undefined;
  #replacing: Promise<void> | undefined;
  #again = false;
  #closed = false;

  /** `start` resolves with nothing when the sources are broken: then nothing runs until they change again. */
  constructor(start: () => Promise<Running | undefined>) {
    this.#start = start;
  }

  /** What changes while it is being replaced leads to one more replacement. */
  replace(): Promise<void> {
    if (this.#replacing) this.#again = true;
    this.#replacing ??= this.#replace().finally(() => (this.#replacing = undefined));
    return this.#replacing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
    await this.#replacing;
    await this.#end();
  }

  async #replace(): Promise<void> {
    do {
      this.#again = false;
      await this.#end();
      const running = this.#closed ? undefined : await this.#start();
      this.#child = running?.child;
      if (!this.#closed) await running?.begun;
    } while (this.#again && !this.#closed);
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = new AbortController();
    void sleep(PATIENCE_MS, undefined, late).then(
      () => child.kill('SIGKILL'),
      () => undefined, // It ended in time.
    );
    await ended;
    late.abort();
  }
}
