import type { Duplex } from 'node:stream';
import { readFrame, type HostFrame, type KernelFrame } from './frames.ts';

export interface ChannelListener {
  frame(frame: KernelFrame): void;
  /** Said once; nothing is told after it. The peer has broken the protocol, or no longer reads what it asked for. */
  broken(reason: string): void;
}

/** Bytes of one frame. */
export const FRAME_LIMIT = 8 * 1024 * 1024;
/** Replies that the peer asked for and does not read. */
const BACKLOG_LIMIT = 128 * 1024 * 1024;

/**
 * JSON lines from and to one kernel (ptc.md, Kernel and channel). What it hands on is rebuilt, and what it holds is
 * bounded: one unfinished frame one way, `BACKLOG_LIMIT` the other. Reading never waits for writing: the kernel writes
 * blocking, and would wait for us while we wait for it.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #listener: ChannelListener;
  #parts: Buffer[] = [];
  #held = 0;
  #over = false;

  constructor(stream: Duplex, listener: ChannelListener) {
    this.#stream = stream;
    this.#listener = listener;
    stream.on('data', (chunk: Buffer) => this.#read(chunk));
    // The end of the process says more than the end of its channel: whoever owns the process watches that.
    stream.on('error', () => this.mute());
  }

  send(frame: HostFrame): void {
    if (this.#over) return;
    this.#stream.write(`${JSON.stringify(frame)}\n`);
    if (this.#stream.writableLength > BACKLOG_LIMIT) this.#break('it does not read the replies to its calls');
  }

  /** Nothing is told, sent or kept any more; what comes is dropped. */
  mute(): void {
    this.#over = true;
    this.#parts = [];
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0 && !this.#over; end = rest.indexOf(NEWLINE)) {
      this.#hold(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#deliver();
    }
    this.#hold(rest);
  }

  #hold(part: Buffer): void {
    if (this.#over || part.length === 0) return;
    this.#held += part.length;
    if (this.#held > FRAME_LIMIT) return this.#break('it sent a frame that is too large');
    this.#parts.push(part);
  }

  #deliver(): void {
    if (this.#over) return;
    const line = decode(this.#parts);
    this.#parts = [];
    this.#held = 0;
    const frame = line === undefined ? undefined : readFrame(line);
    if (frame) this.#listener.frame(frame);
    else this.#break('it sent a malformed frame');
  }

  #break(reason: string): void {
    if (this.#over) return;
    this.mute();
    this.#listener.broken(reason);
  }
}

const NEWLINE = 0x0a;
const DECODER = new TextDecoder('utf-8', { fatal: true });

function decode(parts: readonly Buffer[]): string | undefined {
  try {
    return DECODER.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    return undefined; // Not UTF-8.
  }
}
