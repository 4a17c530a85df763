import type { Json, JsonObject } from '../../app/base/json.ts';
import { utf8Bytes, type Text } from '../../app/base/text.ts';

/** What of it is in the event itself: all of a short one, the end of a long one. */
export function textOf(text: string | Text): string {
  return typeof text === 'string' ? text : text.text;
}

export function bytesOf(text: string | Text): number {
  return typeof text === 'string' ? utf8Bytes(text) : text.bytes;
}

/** A text in a call's input or value: the log keeps a long one as a Text. */
export function textIn(value: Json | undefined, member: string): string | Text | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const found = (value as JsonObject)[member]; // An object that is no array.
  return typeof found === 'string' || isText(found) ? found : undefined;
}

export function memberOf(value: Json | undefined, member: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as JsonObject)[member]; // As above.
}

export function isText(value: unknown): value is Text {
  if (typeof value !== 'object' || value === null) return false;
  const { text, bytes, dropped } = value as { readonly [member: string]: unknown };
  return typeof text === 'string' && typeof bytes === 'number' && typeof dropped === 'number';
}
