import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import type { Exit } from '../../app/sandbox/provider.ts';
import type { ConfinedProcess } from '../sandbox/confined.ts';
import { Channel } from './channel.ts';
import type { HostFrame, KernelFrame } from './frames.ts';
import { Tail } from './tail.ts';
import type { Timers } from './timers.ts';

export interface LinkListener {
  frame(frame: KernelFrame): void;
  /** What children of the program wrote to the descriptors themselves. */
  raw(stream: 'stdout' | 'stderr', text: string): void;
  broken(reason: string): void;
  /** The process has ended by itself, and everything that it had said has been told. */
  exited(exit: Exit): void;
}

/** How long what a dead process still said may take to arrive. */
const DRAIN_MS = 200;
/** How long after the end of its channel the end of a process may be told. */
const CUT_MS = 2_000;
const STDERR_BYTES = 8 * 1024;

/** The host's side of one kernel: its channel, its watchdog, its plain output and its end. */
export class KernelLink {
  readonly ready: Promise<void>;
  readonly #process: ConfinedProcess;
  readonly #channel: Channel;
  readonly #listener: LinkListener;
  readonly #ready = Promise.withResolvers<void>();
  readonly #stderr = new Tail(STDERR_BYTES);
  readonly #timers: Timers;
  #answered: () => void = () => undefined;
  #over = false;

  constructor(process: ConfinedProcess, timers: Timers, listener: LinkListener) {
    const [data, watchdog] = process.channels;
    if (!data) throw new Error('A kernel was launched without a channel');
    this.ready = this.#ready.promise;
    this.#process = process;
    this.#timers = timers;
    this.#listener = listener;
    this.#channel = new Channel(data, {
      frame: (frame) => this.#frame(frame),
      broken: (reason) => this.#tell(() => listener.broken(reason)),
    });
    data.once('end', () => void this.#cut());
    // It says nothing; an error of it is the end of the process.
    watchdog?.on('error', () => undefined).resume();
    this.#read('stdout', process.stdout);
    this.#read('stderr', process.stderr);
    void this.#watch();
  }

  /** The end of what the process wrote to stderr. */
  get stderr(): string {
    return this.#stderr.text().text;
  }

  get canStop(): boolean {
    return this.#process.channels.length > 1;
  }

  send(frame: HostFrame): void {
    this.#channel.send(frame);
  }

  /** To the main thread, which may be free, and to the watchdog, which waits a moment for it. */
  stop(cell: number): void {
    this.send({ t: 'stop', cell });
    const watchdog = this.#process.channels[1];
    if (watchdog?.writable) watchdog.write(`${JSON.stringify({ cell })}\n`);
  }

  /** Whether the main thread of an idle kernel says something within that time. */
  answers(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#timers.after(ms, () => resolve(false));
    this.#answered = () => {
      cancel();
      resolve(true);
    };
    this.send({ t: 'ping', n: 0 });
    return promise;
  }

  /** Nothing is told or sent any more. What the process still says is read and dropped, until its owner has ended it. */
  mute(): void {
    this.#over = true;
    this.#channel.mute();
  }

  #frame(frame: KernelFrame): void {
    if (frame.t === 'ready') this.#ready.resolve();
    else this.#tell(() => this.#listener.frame(frame));
    if (frame.t === 'pong') this.#answered();
  }

  #tell(what: () => void): void {
    if (!this.#over) what();
  }

  /** A process that ends closes its channel too, and its exit says more; one that lives on without it is of no use. */
  async #cut(): Promise<void> {
    const cancel = this.#timers.after(CUT_MS, () => this.#tell(() => this.#listener.broken('it closed its channel')));
    await this.#process.exited;
    cancel();
  }

  #read(name: 'stdout' | 'stderr', stream: Readable): void {
    const decoder = new StringDecoder('utf8');
    stream.on('error', () => undefined);
    // Read to the end even when nobody listens: a full pipe would hold up whoever still writes.
    stream.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk);
      if (name === 'stderr') this.#stderr.append(text);
      this.#tell(() => this.#listener.raw(name, text));
    });
  }

  async #watch(): Promise<void> {
    const exit = await this.#process.exited;
    await new Promise<void>((resolve) => {
      const cancel = this.#timers.after(DRAIN_MS, resolve);
      const streams = [this.#process.channels[0], this.#process.stderr].filter((stream) => stream && !stream.closed);
      let open = streams.length;
      const closed = () => {
        open -= 1;
        if (open > 0) return;
        cancel();
        resolve();
      };
      if (open === 0) closed();
      for (const stream of streams) stream?.once('close', closed);
    });
    this.#tell(() => this.#listener.exited(exit));
  }
}
