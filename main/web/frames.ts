import { errorReply, type ErrorCode } from '../../app/contract/reply.ts';
import { parseJson } from '../base/parseJson.ts';

type Id = string | number;

/** What a window may say once it is let in. */
export type Frame =
  | { readonly kind: 'request'; readonly id: Id; readonly request: string; readonly input: unknown }
  /** It wants a link that lets another window in. */
  | { readonly kind: 'link'; readonly id: Id }
  /** A person is at it. */
  | { readonly kind: 'touched' }
  | { readonly kind: 'bad'; readonly id: Id | null; readonly message: string };

export function parseFrame(text: string): Frame {
  const value = objectIn(text);
  if (!value) return { kind: 'bad', id: null, message: 'The frame is not a JSON object' };
  if ('touched' in value && value.touched === true) return { kind: 'touched' };
  const id = 'id' in value && isId(value.id) ? value.id : null;
  if (id === null) return { kind: 'bad', id, message: 'The frame has no `id` that is a string or a number' };
  if ('link' in value && value.link === true) return { kind: 'link', id };
  if (!('request' in value) || typeof value.request !== 'string')
    return { kind: 'bad', id, message: 'The frame has no `request`' };
  return { kind: 'request', id, request: value.request, input: 'input' in value ? value.input : {} };
}

/** What the first frame presents; undefined when it presents nothing. */
export function tokenIn(text: string): string | undefined {
  const value = objectIn(text);
  return value && 'token' in value && typeof value.token === 'string' ? value.token : undefined;
}

export function refusalFrame(id: Id | null, code: ErrorCode, message: string): string {
  return JSON.stringify({ id, ...errorReply(code, message) });
}

function objectIn(text: string): object | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isFinite(value);
}
