import { lossless, type Json, type JsonObject } from '../base/json.ts';
import { TEXT_LIMIT, tailOf, utf8Bytes, type Text } from '../base/text.ts';
import { MAX_EVENT_BYTES, StoreError } from './store.ts';

/** Keeps a text beside the log; resolves with its SHA-256 when it is durable. */
export type Keep = (text: string) => Promise<string>;

/** Room for the envelope of an event: type, seq, time, and what a caller adds to the data. */
const LIMIT = MAX_EVENT_BYTES - 4096;
/** What is left in place of a string that had to go for the sum's sake. */
const SHORT = 4096;

/**
 * A lossless copy that fits into one event. Strings over 64 KiB become a Text whose whole is kept; then, while it is
 * still too large, the largest remaining one does too. Memory, disk and hash so agree about what was said.
 */
export async function storable(value: unknown, keep: Keep): Promise<Json> {
  let fitting = await shorten(lossless(value), keep, (text) => (utf8Bytes(text) > TEXT_LIMIT ? TEXT_LIMIT : undefined));
  while (sizeOf(fitting) > LIMIT) {
    const largest = largestIn(fitting);
    if (largest <= SHORT)
      throw new StoreError('too-large', `More than ${MAX_EVENT_BYTES} bytes, even without its texts`);
    fitting = await shorten(fitting, keep, (text) => (utf8Bytes(text) === largest ? SHORT : undefined));
  }
  return fitting;
}

/** A long text as a Text whose whole is kept; a short one as it is. */
export async function toText(text: string, keep: Keep, limit = TEXT_LIMIT): Promise<Text> {
  const wellFormed = text.toWellFormed();
  const bytes = utf8Bytes(wellFormed);
  if (bytes <= limit) return { text: wellFormed, bytes, dropped: 0 };
  return { text: tailOf(wellFormed, limit), bytes, dropped: 0, blob: await keep(wellFormed) };
}

/** Whether an event with this data is certainly small enough, without spelling it out. */
export function fits(data: unknown): boolean {
  return roughly(data) * WORST < LIMIT || sizeOf(data as Json) <= MAX_EVENT_BYTES - 256;
}

/** One UTF-16 unit becomes at most six bytes of JSON, as in `\u0000`. */
const WORST = 6;

function roughly(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [key, item] of Object.entries(value)) size += key.length + 4 + roughly(item);
  return size;
}

/** `limitOf` says to how many bytes a string is shortened; undefined leaves it. */
type LimitOf = (text: string) => number | undefined;

async function shorten(value: Json, keep: Keep, limitOf: LimitOf): Promise<Json> {
  if (typeof value === 'string') {
    const limit = limitOf(value);
    return limit === undefined ? value : lossless(await toText(value, keep, limit));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isText(value)) return shortenText(value, limitOf);
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) items.push(await shorten(item, keep, limitOf));
    return Object.freeze(items);
  }
  const members: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) members.push([key, await shorten(item, keep, limitOf)]);
  return Object.freeze(Object.fromEntries(members));
}

/** A Text becomes a shorter Text, never a Text within a Text. Without a blob the rest is dropped, and it says so. */
function shortenText(value: Text & JsonObject, limitOf: LimitOf): Json {
  const limit = limitOf(value.text);
  if (limit === undefined) return value;
  const text = tailOf(value.text, limit);
  const dropped = value.blob === undefined ? value.bytes - utf8Bytes(text) : value.dropped;
  return Object.freeze({ ...value, text, dropped });
}

function isText(value: Json): value is Text & JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { text, bytes, dropped } = value as JsonObject; // An object that is no array.
  return typeof text === 'string' && typeof bytes === 'number' && typeof dropped === 'number';
}

function largestIn(value: Json): number {
  if (typeof value === 'string') return utf8Bytes(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((most, item) => Math.max(most, largestIn(item as Json)), 0);
}

function sizeOf(value: Json): number {
  return utf8Bytes(JSON.stringify(value));
}
