import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Bytes that may wait in a stream before whoever causes more is asked to wait. */
const CROWDED = 8 * 1024 * 1024;

/** Lines out to a stream that may be slow, and whose reader may go away at any time: then lines are dropped silently. */
export class Outlet {
  readonly #stream: Writable;
  readonly #gone = new AbortController();
  #draining: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    // An `error` (EPIPE) comes with every later write, too: the listener stays.
    stream.on('error', () => this.#gone.abort());
    stream.once('close', () => this.#gone.abort());
    if (stream.destroyed) this.#gone.abort();
  }

  /** The reader has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when the stream takes more, or the reader has gone. */
  async send(line: string): Promise<void> {
    if (this.gone.aborted) return;
    if (!this.#stream.write(`${oneLine(line)}\n`)) await this.#drained();
  }

  /** Resolves at once, unless so much waits that nothing should be begun which causes more; also on `signal`. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#stream.writableLength < CROWDED || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([this.#drained(), promise]);
    signal.removeEventListener('abort', stop);
  }

  /** Resolves when the stream has passed on everything, or the reader has gone. */
  async flushed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone.addEventListener('abort', () => resolve(), { once: true });
    if (this.gone.aborted) return;
    // Called after everything before it; on a stream that has failed, with the error.
    this.#stream.write('', () => resolve());
    await promise;
  }

  /** One listener, however many wait. */
  #drained(): Promise<void> {
    this.#draining ??= this.#nextDrain().finally(() => (this.#draining = undefined));
    return this.#draining;
  }

  async #nextDrain(): Promise<void> {
    if (this.gone.aborted) return;
    await once(this.#stream, 'drain', { signal: this.gone }).catch(() => undefined);
  }
}

/** JSON leaves them as they are, and many readers, Node's own among them, end a line there. */
function oneLine(line: string): string {
  return line.replaceAll(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
