import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { closing } from '../sandbox/streams.ts';
import { TEXT_LIMIT, tailOf, utf8Bytes, whole, type Text } from '../../app/base/text.ts';

export interface OutputOptions {
  /** How much of the whole is kept; what comes after is counted, and only its tail is held. */
  readonly limit: number;
  readonly onOutput: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined;
}

/** A program that prints faster than this waits: a flood must not keep the app from its work. */
const BYTES_PER_TURN = 512 * 1024;
const TURN_MS = 10;

/** What a command printed on both streams, in the order in which it came, with bounded memory. */
export class Output {
  readonly #options: OutputOptions;
  readonly #head: string[] = [];
  #headBytes = 0;
  #tail = '';
  #bytes = 0;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Reads to the end of the stream; characters are never cut in two. */
  async read(name: 'stdout' | 'stderr', stream: Readable): Promise<void> {
    const decoder = new StringDecoder('utf8');
    const pace = new Pace(stream);
    stream.on('data', (chunk: Buffer) => {
      this.#take(name, decoder.write(chunk));
      pace.count(chunk.length);
    });
    await closing(stream);
    pace.stop();
    this.#take(name, decoder.end());
  }

  /** The end of what was printed, for a look at its messages. */
  get tail(): string {
    return tailOf(this.#head.join('').slice(-TEXT_LIMIT) + this.#tail);
  }

  /** More came than is kept. */
  get isCut(): boolean {
    return this.#bytes > this.#headBytes;
  }

  async text(keep: (text: string) => Promise<Text>): Promise<Text> {
    const head = this.#head.join('');
    if (this.#bytes === this.#headBytes) return this.#bytes <= TEXT_LIMIT ? whole(head) : keep(head);
    const { blob } = head === '' ? {} : await keep(head);
    const text = this.tail;
    const beyond = Math.min(utf8Bytes(text), this.#bytes - this.#headBytes);
    return {
      text,
      bytes: this.#bytes,
      dropped: this.#bytes - this.#headBytes - beyond,
      ...(blob !== undefined && { blob }),
    };
  }

  #take(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    this.#options.onOutput?.(stream, text);
    const bytes = utf8Bytes(text);
    this.#bytes += bytes;
    // Once something did not fit the head is closed, or it would have a hole.
    if (this.#tail === '' && this.#headBytes + bytes <= this.#options.limit) {
      this.#head.push(text);
      this.#headBytes += bytes;
    } else this.#tail = (this.#tail + text).slice(-TEXT_LIMIT);
  }
}

/** Back-pressure: after so many bytes the stream rests until the turn is over, and the pipe holds the program back. */
class Pace {
  readonly #stream: Readable;
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    this.#timer ??= setTimeout(() => this.#next(), TURN_MS);
    if (this.#bytes >= BYTES_PER_TURN) this.#stream.pause();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #next(): void {
    this.#timer = undefined;
    this.#bytes = 0;
    this.#stream.resume();
  }
}
