import { lossless, type Json, type JsonObject } from '../../app/base/json.ts';
import type { OutputStream } from '../../app/tool/tool.ts';

/** What the kernel says, rebuilt from what came over the channel. */
export type KernelFrame =
  | { readonly t: 'ready' }
  | { readonly t: 'pong'; readonly n: number; readonly active: number }
  | { readonly t: 'log'; readonly cell: number; readonly stream: OutputStream; readonly text: string }
  | { readonly t: 'display'; readonly cell: number; readonly value: Json }
  | { readonly t: 'late'; readonly cell: number; readonly text: string }
  | CallFrame
  | DoneFrame;

export interface CallFrame {
  readonly t: 'call';
  readonly cell: number;
  readonly token: string;
  readonly call: number;
  readonly tool: string;
  readonly value: Json;
}

export type DoneFrame = { readonly t: 'done'; readonly cell: number; readonly token: string } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'inspected'; readonly text: string }
  | {
      readonly kind: 'exception';
      readonly name: string;
      readonly message: string;
      readonly stack: string;
      /** Names that the failed program would have set and did not. */
      readonly unchanged: readonly string[];
    }
  | { readonly kind: 'stopped'; readonly inert: boolean }
);

/** What the host says. */
export type HostFrame =
  | {
      readonly t: 'run';
      readonly cell: number;
      /** Only the kernel knows it while this program runs: what an older program forges does not carry it. */
      readonly token: string;
      readonly source: string;
      readonly names: readonly string[];
      readonly tools: readonly string[];
    }
  | { readonly t: 'reply'; readonly call: number; readonly ok: true; readonly value?: Json }
  | { readonly t: 'reply'; readonly call: number; readonly ok: false; readonly error: ToolFault }
  | { readonly t: 'stop'; readonly cell: number }
  | { readonly t: 'ping'; readonly n: number };

export interface ToolFault {
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

/** The peer is hostile: anything but a well-formed frame is undefined. Members that no frame has are dropped. */
export function readFrame(line: string): KernelFrame | undefined {
  if (isTooDeep(line)) return undefined;
  try {
    const frame = lossless(JSON.parse(line));
    return isObject(frame) ? rebuild(new Members(frame)) : undefined;
  } catch (fault) {
    if (fault instanceof MissingMember || fault instanceof SyntaxError || isLosslessError(fault)) return undefined;
    throw fault;
  }
}

const MAX_DEPTH = 200;

/** Before anything is built: a line of eight million brackets would cost more memory than its bytes. */
function isTooDeep(line: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (unit === 0x5d || unit === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function rebuild(at: Members): KernelFrame | undefined {
  switch (at.text('t')) {
    case 'ready':
      return { t: 'ready' };
    case 'pong':
      return { t: 'pong', n: at.count('n'), active: at.amount('active') };
    case 'log':
      return { t: 'log', cell: at.count('cell'), stream: at.stream(), text: at.text('text') };
    case 'display':
      return { t: 'display', cell: at.count('cell'), value: at.json('value') };
    case 'late':
      return { t: 'late', cell: at.count('cell'), text: at.text('text') };
    case 'call':
      return { t: 'call', ...ofRun(at), call: at.count('call'), tool: at.text('tool'), value: at.json('value') };
    case 'done':
      return done(at);
    default:
      return undefined;
  }
}

function done(at: Members): DoneFrame | undefined {
  switch (at.text('kind')) {
    case 'value':
      return { t: 'done', ...ofRun(at), kind: 'value', value: at.json('value') };
    case 'inspected':
      return { t: 'done', ...ofRun(at), kind: 'inspected', text: at.text('text') };
    case 'exception': {
      const [name, message, stack] = [at.text('name'), at.text('message'), at.text('stack')];
      return { t: 'done', ...ofRun(at), kind: 'exception', name, message, stack, unchanged: at.texts('unchanged') };
    }
    case 'stopped':
      return { t: 'done', ...ofRun(at), kind: 'stopped', inert: at.json('inert') === true };
    default:
      return undefined;
  }
}

function ofRun(at: Members): { cell: number; token: string } {
  return { cell: at.count('cell'), token: at.text('token') };
}

class MissingMember extends Error {}

/** Reads one member each, of the type it must have. */
class Members {
  readonly #frame: JsonObject;

  constructor(frame: JsonObject) {
    this.#frame = frame;
  }

  json(key: string): Json {
    const value = Object.hasOwn(this.#frame, key) ? this.#frame[key] : undefined;
    if (value === undefined) throw new MissingMember(key);
    return value;
  }

  text(key: string): string {
    const value = this.json(key);
    if (typeof value !== 'string') throw new MissingMember(key);
    return value;
  }

  texts(key: string): readonly string[] {
    const value = this.json(key);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw new MissingMember(key);
    return value;
  }

  amount(key: string): number {
    const value = this.json(key);
    if (typeof value !== 'number' || value < 0) throw new MissingMember(key);
    return value;
  }

  count(key: string): number {
    const value = this.amount(key);
    if (!Number.isSafeInteger(value)) throw new MissingMember(key);
    return value;
  }

  stream(): OutputStream {
    const value = this.text('stream');
    if (value !== 'stdout' && value !== 'stderr' && value !== 'log') throw new MissingMember('stream');
    return value;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLosslessError(fault: unknown): boolean {
  return fault instanceof Error && fault.name === 'LosslessError';
}
