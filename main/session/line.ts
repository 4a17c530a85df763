import { isUtf8 } from 'node:buffer';
import { KNOWN_TYPES, type SessionEvent } from '../../app/session/events.ts';
import { MAX_EVENT_BYTES, StoreError } from '../../app/session/store.ts';
import { parseJson } from '../base/parseJson.ts';
import { sha256 } from '../base/sha256.ts';

/** Events as stored lines, and the hash of the last of them. */
export interface Framed {
  readonly bytes: Buffer;
  readonly hash: string;
}

/**
 * Spells events out. Each line ends with the member `hash`: SHA-256 of the previous hash, a newline, and the line's text
 * without that member (sessions.md, Verify). The text is what is stored, so no canonical form is needed.
 */
export function frame(previous: string, events: readonly SessionEvent[]): Framed {
  let last = previous;
  const lines = events.map((event) => {
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > MAX_EVENT_BYTES) {
      throw new StoreError('too-large', `Event ${event.seq} (${event.type}) is larger than ${MAX_EVENT_BYTES} bytes`);
    }
    last = chained(last, text);
    return `${text.slice(0, -1)}${PREFIX}${last}${SUFFIX}\n`;
  });
  return { bytes: Buffer.from(lines.join('')), hash: last };
}

export interface StoredLine {
  readonly event: SessionEvent;
  readonly hash: string;
  /** Without the hash: what was hashed. */
  readonly text: string;
}

/** Reads one line, without its newline. A string says why it is no event. */
export function parseLine(line: Buffer): StoredLine | string {
  if (line.length === 0) return 'it is empty';
  if (!isUtf8(line)) return 'it is not UTF-8';
  const whole = line.toString('utf8');
  const end = whole.length - TAIL;
  const stored = whole.slice(end + PREFIX.length, -SUFFIX.length);
  if (end < 1 || !whole.startsWith(PREFIX, end) || !whole.endsWith(SUFFIX)) return notJson(whole);
  const text = `${whole.slice(0, end)}}`;
  const event = parseJson(text);
  const reason = judge(event);
  // `judge` has checked the envelope; what is inside was checked when it was appended.
  return reason ?? { event: event as SessionEvent, hash: stored, text };
}

export function chained(previous: string, text: string): string {
  return sha256(`${previous}\n${text}`);
}

const PREFIX = ',"hash":"';
const SUFFIX = '"}';
const TAIL = PREFIX.length + 64 + SUFFIX.length;

function judge(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not a JSON object';
  const { type, seq, time, data, ignorable } = value as { readonly [key: string]: unknown }; // It is an object.
  if (typeof type !== 'string') return 'it has no type';
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) return 'it has no seq';
  if (typeof time !== 'number') return 'it has no time';
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'it has no data';
  if (!KNOWN_TYPES.has(type) && ignorable !== true) return `it is of the unknown type ${JSON.stringify(type)}`;
  return undefined;
}

function notJson(whole: string): string {
  if (whole.includes('\0')) return 'it holds NUL bytes';
  return parseJson(whole) === undefined ? 'it is not JSON' : 'it does not end with its hash';
}
