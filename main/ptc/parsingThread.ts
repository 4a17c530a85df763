import { Worker } from 'node:worker_threads';
import { orAborted } from '../../app/base/cancel.ts';
import type { ParsingReply } from './parsing.ts';
import type { Timers } from './timers.ts';

export interface ParsingThreadOptions {
  readonly script: string;
  readonly timers: Timers;
  /** How long one source may take. */
  readonly parseMs: number;
}

/** `endless`: it took too long. `huge`: more memory than a parse may use. */
export type ThreadReply = ParsingReply | { readonly kind: 'endless' | 'huge' };

const MEMORY_MB = 512;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** One thread that parses, from its first source until something goes wrong with it or it is closed. */
export class ParsingThread {
  readonly #options: ParsingThreadOptions;
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<ThreadReply> | undefined;
  #dead = false;
  #closing: Promise<void> | undefined;

  constructor(options: ParsingThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      execArgv: ['--no-warnings'],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // For its whole life: it may die while nobody waits for it, and that must end nothing else.
    this.#worker.on('message', (reply: ParsingReply) => this.#waiting?.resolve(reply));
    this.#worker.on('error', (fault) => this.#failed(fault));
    this.#worker.on('exit', () => this.#failed(new Error('It has ended')));
    // What waits for a parse keeps the process alive; an idle thread must not.
    this.#worker.unref();
  }

  /** False once it is of no use for another source. */
  get isGood(): boolean {
    return !this.#dead && this.#closing === undefined;
  }

  /** One source at a time. A thread that is aborted or fails is closed with it. */
  async parse(source: string, signal: AbortSignal): Promise<ThreadReply> {
    const waiting = Promise.withResolvers<ThreadReply>();
    this.#waiting = waiting;
    const cancel = this.#options.timers.after(this.#options.parseMs, () => waiting.resolve({ kind: 'endless' }));
    this.#worker.ref();
    try {
      this.#worker.postMessage(source);
      const reply = await orAborted(waiting.promise, signal);
      if (reply.kind !== 'program' && reply.kind !== 'syntax') void this.close();
      return reply;
    } catch (fault) {
      void this.close();
      throw fault;
    } finally {
      cancel();
      this.#waiting = undefined;
      this.#worker.unref();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#worker.terminate();
  }

  #failed(fault: Error): void {
    this.#dead = true;
    if ('code' in fault && fault.code === OUT_OF_MEMORY) this.#waiting?.resolve({ kind: 'huge' });
    else this.#waiting?.reject(new Error('The thread that parses programs failed', { cause: fault }));
  }
}
