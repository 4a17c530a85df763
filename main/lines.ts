import type { Readable } from 'node:stream';

/** A line of input: its text, or why it is none. */
export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'too-large' };

const NEWLINE = 0x0a;

/**
 * The lines of a byte stream, each at most `limit` bytes. A longer one is told as soon as it is too long, once, and what
 * is left of it is let go as it comes. A last line counts without its newline; after `signal`, nothing more counts.
 */
export async function* readLines(input: Readable, limit: number, signal: AbortSignal): AsyncGenerator<Line> {
  const splitter = new Splitter(limit);
  const stop = (): void => void input.destroy();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of input) {
      // A stream with an encoding gives strings; typed as unknown by the stream.
      for (const line of splitter.split(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer))) {
        if (signal.aborted) return;
        yield line;
      }
    }
    const last = splitter.end();
    if (last) yield last;
  } catch {
    // A stream that breaks has ended, and what was read of its last line is no line.
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

class Splitter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  *split(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const tooLarge = this.#keep(chunk.subarray(start, end));
      if (tooLarge) yield tooLarge;
      const line = this.#line();
      if (line) yield line;
      start = end + 1;
    }
    const tooLarge = this.#keep(chunk.subarray(start));
    if (tooLarge) yield tooLarge;
  }

  /** What is left when the stream has ended: without its newline an empty line is none. */
  end(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#line();
  }

  #line(): Line | undefined {
    const whole = this.#skipping ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    return whole && decode(whole);
  }

  #keep(part: Buffer): Line | undefined {
    if (this.#skipping) return undefined;
    this.#bytes += part.length;
    if (this.#bytes <= this.#limit) {
      this.#parts.push(part);
      return undefined;
    }
    this.#skipping = true;
    this.#parts = [];
    return { kind: 'too-large' };
  }
}

function decode(bytes: Buffer): Line {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'not-utf8' };
  }
}
