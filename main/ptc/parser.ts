import { join } from 'node:path';
import { orAborted } from '../../app/base/cancel.ts';
import type { SyntaxFault } from '../../app/ptc/nodeProvider.ts';
import { normalise, type NormalisedProgram } from './normalise.ts';
import { parseJavaScript } from './parse.ts';
import { ParsingThread, type ThreadReply } from './parsingThread.ts';
import { realTimers, type Timers } from './timers.ts';

type Normalised = NormalisedProgram | SyntaxFault;

export interface ProgramParserOptions {
  /** The folder of the thread's script. */
  readonly scripts: string;
  readonly timers?: Timers;
  readonly parseMs?: number;
}

/** Characters that are parsed where they are. What takes longest of those takes a tenth of a second, not many. */
const IN_PLACE = 2 * 1024;
/** Characters of a program. What is larger is data, which belongs into a file. */
export const LONGEST_PROGRAM = 4 * 1024 * 1024;
const PARSE_MS = 10_000;

/** Sources to programs. What takes long is parsed in one thread, so that it holds up nothing but its own call. */
export class ProgramParser {
  readonly #options: Required<ProgramParserOptions>;
  readonly #closing = new AbortController();
  #thread: ParsingThread | undefined;
  /** Resolves when the thread is free. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The last one that went to the thread: a call is planned first and run later, with the same source. */
  #latest: { readonly source: string; readonly program: Normalised } | undefined;

  constructor({ scripts, timers = realTimers, parseMs = PARSE_MS }: ProgramParserOptions) {
    this.#options = { scripts, timers, parseMs };
  }

  async parse(source: string, signal: AbortSignal): Promise<Normalised> {
    signal.throwIfAborted();
    if (source.length > LONGEST_PROGRAM) return tooLong(source);
    const quick = source.length <= IN_PLACE ? inPlace(source) : undefined;
    return quick ?? this.#elsewhere(source, AbortSignal.any([signal, this.#closing.signal]));
  }

  /** Parses that are under way reject; no thread is left. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The parser of programs is closed'));
    await this.#turn;
    await this.#thread?.close();
  }

  async #elsewhere(source: string, signal: AbortSignal): Promise<Normalised> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    // Who gives up waiting does not let the next one in before the one that runs is done.
    this.#turn = Promise.all([before, promise]);
    try {
      await orAborted(before, signal);
      if (this.#latest?.source === source) return this.#latest.program;
      const program = this.#programOf(await this.#inThread(source, signal));
      this.#latest = { source, program };
      return program;
    } finally {
      resolve();
    }
  }

  #programOf(reply: ThreadReply): Normalised {
    if (reply.kind === 'program' || reply.kind === 'syntax') return reply;
    const much = reply.kind === 'endless' ? `longer than ${this.#options.parseMs / 1000} s` : 'too much memory';
    const message = `The program takes ${much} to parse. Nest it less, or run it in parts.`;
    return { kind: 'syntax', message, line: 1, column: 1 };
  }

  /** A thread that an earlier source has broken is replaced by one that no source has seen. */
  async #inThread(source: string, signal: AbortSignal): Promise<ThreadReply> {
    const reply = await (await this.#goodThread()).parse(source, signal);
    return reply.kind === 'worn' ? (await this.#goodThread()).parse(source, signal) : reply;
  }

  async #goodThread(): Promise<ParsingThread> {
    if (this.#thread?.isGood) return this.#thread;
    await this.#thread?.close();
    const { scripts, timers, parseMs } = this.#options;
    // In a bundle the thread's script is a bundle of its own.
    const name = import.meta.url.endsWith('.ts') ? 'parsing.ts' : 'parsing.cjs';
    this.#thread = new ParsingThread({ script: join(scripts, name), timers, parseMs });
    return this.#thread;
  }
}

/** JavaScript only: what strips types may take a lifetime for a few hundred characters. */
function inPlace(source: string): Normalised | undefined {
  const program = normalise(source, parseJavaScript);
  return program.kind === 'program' ? program : undefined;
}

function tooLong({ length }: string): SyntaxFault {
  const message = `The program is too large: it has ${length} characters, and at most ${LONGEST_PROGRAM} are run. Put data into a file and read it from there.`;
  return { kind: 'syntax', message, line: 1, column: 1 };
}
