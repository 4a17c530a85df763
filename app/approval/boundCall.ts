import type { SessionId } from '../base/id.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { utf8Bytes } from '../base/text.ts';
import type { Mode } from '../sandbox/mode.ts';

/** Everything an approval is bound to: when any of it differs, it is a new question (policy.md, One-time escalation). */
export interface BoundCall {
  readonly sessionId: SessionId;
  readonly tool: string;
  /** The full arguments, as they were given and are logged. */
  readonly input: Json;
  readonly cwd: string;
  /** The Mode asked for; absent when no wider one is. */
  readonly to?: Mode;
}

/** SHA-256 of a text as UTF-8, in hex: what a kept text is called as well. */
export type Digest = (text: string) => string;

/** Below what a log ever shortens a string to, so that the digest of a call can be had again from its log. */
const LONG = 1024;

/** The digest that stands for a call: equal calls have equal ones, whatever the order of their keys. */
export function digestOfCall(call: BoundCall, digest: Digest): string {
  return digest(canonicalCall(call, digest));
}

/** The same from a log, where a long string may have become a Text whose whole is kept under its digest. */
export function digestOfLoggedCall(call: BoundCall, digest: Digest): string {
  return digest(textOf(call, (value) => blobOf(value) ?? longOf(value, digest)));
}

/** The text behind the digest; a long string stands in it as `#` and its own digest. */
export function canonicalCall(call: BoundCall, digest: Digest): string {
  return textOf(call, (value) => longOf(value, digest));
}

/** The digest of what stands for itself no longer. */
type Shortened = (value: Json) => string | undefined;

function textOf({ sessionId, tool, input, cwd, to }: BoundCall, shortened: Shortened): string {
  return canonical({ sessionId, tool, input, cwd, to: to ?? null }, shortened);
}

function canonical(value: Json, shortened: Shortened): string {
  const digest = shortened(value);
  if (digest !== undefined) return `#${digest}`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => canonical(item, shortened)).join(',')}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, shortened)}`).join(',')}}`;
}

function longOf(value: Json, digest: Digest): string | undefined {
  return typeof value === 'string' && utf8Bytes(value) > LONG ? digest(value) : undefined;
}

function blobOf(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined;
  const { text, blob } = value as JsonObject; // An object that is no list.
  return typeof text === 'string' && typeof blob === 'string' ? blob : undefined;
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
