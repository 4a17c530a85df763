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

/** `endless`: it took too long, or more memory than a parse may use. */
export type ThreadReply = ParsingReply | { readonly kind: 'endless' };

const MEMORY_MB = 512;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** One thread that parses, from its first source until something goes wrong with it or it is closed. */
export class ParsingThread {
  readonly #options: ParsingThreadOptions;
  readonly #worker: Worker;
  #closing: Promise<void> | undefined;

  constructor(options: ParsingThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      execArgv: ['--no-warnings'],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // What waits for a parse keeps the process alive; an idle thread must not.
    this.#worker.unref();
  }

  /** False once it is of no use for another source. */
  get isGood(): boolean {
    return this.#closing === undefined;
  }

  /** One source at a time. A thread that is aborted or fails is closed with it. */
  async parse(source: string, signal: AbortSignal): Promise<ThreadReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>();
    const cancel = this.#options.timers.after(this.#options.parseMs, () => resolve({ kind: 'endless' }));
    const failed = (fault: Error) => {
      if ('code' in fault && fault.code === OUT_OF_MEMORY) return resolve({ kind: 'endless' });
      reject(new Error('The thread that parses programs failed', { cause: fault }));
    };
    const exited = () => reject(new Error('The thread that parses programs has ended'));
    this.#worker.on('message', resolve).on('error', failed).on('exit', exited);
    this.#worker.ref();
    try {
      this.#worker.postMessage(source);
      const reply = await orAborted(promise, signal);
      if (reply.kind === 'endless' || reply.kind === 'worn') void this.close();
      return reply;
    } catch (fault) {
      void this.close();
      throw fault;
    } finally {
      cancel();
      this.#worker.off('message', resolve).off('error', failed).off('exit', exited);
      this.#worker.unref();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // It may die of its own fault while it is ended.
    this.#worker.on('error', () => undefined);
    await this.#worker.terminate();
  }
}
