import type { Readable, Writable } from 'node:stream';
import { errorReply, type ErrorCode, type Reply } from '../app/contract/reply.ts';
import type { Caller, Handlers } from '../app/contract/requests.ts';
import type { Core } from './coreShape.ts';
import { Door } from './door.ts';
import { readLines, type Line } from './lines.ts';
import { Outlet } from './outlet.ts';
import { parseJson } from './base/parseJson.ts';
import { DoorPushes } from './pushes.ts';

export interface ControlOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly core: Pick<Core, 'attend' | 'onPush' | 'readEvents' | 'close'>;
  readonly handlers: Handlers;
  readonly onFault: (fault: unknown) => void;
  /** Longest line, in bytes. */
  readonly maxLine?: number;
  /** How long a client that does not read may hold up the end, once everything else is closed. */
  readonly graceMs?: number;
}

const MAX_LINE = 16 * 1024 * 1024;
const GRACE_MS = 5_000;
const NAME = 'control';

/**
 * Serves the contract as JSON lines (contract.md, The control door). It ends with its input, with the reader of its
 * output, or with `signal`; in each case it closes the core and sends what is still owed. Resolves when that is done.
 */
export async function control(options: ControlOptions, signal: AbortSignal): Promise<void> {
  const session = new Control(options);
  try {
    await session.serve(AbortSignal.any([signal, session.outlet.gone]));
  } finally {
    await session.close();
  }
}

class Control {
  readonly outlet: Outlet;
  readonly #options: ControlOptions;
  readonly #door: Door;
  readonly #pushes: DoorPushes;
  readonly #caller: Caller;
  readonly #leave: () => void;
  readonly #owed = new Set<Promise<void>>();

  constructor(options: ControlOptions) {
    this.#options = options;
    this.outlet = new Outlet(options.output);
    this.#door = new Door(options);
    const deliver = (json: string): Promise<void> => this.outlet.send(json);
    this.#pushes = new DoorPushes({ source: options.core, deliver, onFault: options.onFault });
    this.#caller = { door: NAME, follow: (sessionId, seq) => this.#pushes.follow(sessionId, seq) };
    this.#leave = options.core.attend();
  }

  /** Requests start in the order of their lines and finish in any. */
  async serve(ended: AbortSignal): Promise<void> {
    for await (const line of readLines(this.#options.input, this.#options.maxLine ?? MAX_LINE, ended)) {
      const asked = parse(line);
      if ('code' in asked) void this.outlet.send(refusal(asked));
      else this.#start(asked);
      await this.outlet.ready(ended);
    }
  }

  /** The core first: it settles whatever requests still wait for, so that their replies can be sent. */
  async close(): Promise<void> {
    this.#door.beginClosing();
    try {
      await this.#options.core.close();
    } finally {
      await this.#withinGrace(this.#finish());
      this.#pushes.close();
      this.#leave();
    }
  }

  async #finish(): Promise<void> {
    await Promise.all(this.#owed);
    await this.#pushes.settled();
    await this.outlet.flushed();
  }

  #start(asked: Asked): void {
    const answered = this.#door.answer(this.#caller, asked.request, asked.input);
    const sent = answered.then((reply) => this.outlet.send(this.#toLine(asked.id, reply)));
    this.#owed.add(sent);
    void sent.finally(() => this.#owed.delete(sent));
  }

  /** An output that JSON cannot say is a fault of ours, and still a reply. */
  #toLine(id: Id, reply: Reply): string {
    try {
      return JSON.stringify({ id, ...reply });
    } catch (fault) {
      this.#options.onFault(fault);
      return refusal({ id, code: 'internal', message: 'The answer could not be written as JSON' });
    }
  }

  async #withinGrace(work: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#options.onFault(new Error('The client did not take what was owed to it in time; it was dropped'));
      late.resolve();
    }, this.#options.graceMs ?? GRACE_MS);
    await Promise.race([work, late.promise]);
    clearTimeout(timer);
  }
}

type Id = string | number | null;

interface Asked {
  readonly id: string | number;
  readonly request: string;
  readonly input: unknown;
}

interface Refused {
  readonly id: Id;
  readonly code: ErrorCode;
  readonly message: string;
}

function parse(line: Line): Asked | Refused {
  if (line.kind === 'too-large') return { id: null, code: 'too-large', message: 'A line may have 16 MiB at most' };
  if (line.kind === 'not-utf8') return badLine(null, 'The line is not UTF-8');
  const value = parseJson(line.text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return badLine(null, 'The line is not a JSON object');
  }
  const id = 'id' in value && isId(value.id) ? value.id : null;
  if (id === null) return badLine(null, 'The line has no `id` that is a string or a number');
  if (!('request' in value) || typeof value.request !== 'string') return badLine(id, 'The line has no `request`');
  return { id, request: value.request, input: 'input' in value ? value.input : {} };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isFinite(value);
}

function badLine(id: Id, message: string): Refused {
  return { id, code: 'bad-line', message };
}

function refusal({ id, code, message }: Refused): string {
  return JSON.stringify({ id, ...errorReply(code, message) });
}
