import { z } from 'zod';
import { isId } from '../base/id.ts';
import { lossless, LosslessError, type JsonObject } from '../base/json.ts';

/** The type of a value that main has built itself: described once, in the room that owns it, and not parsed again. */
export function shape<T>() {
  return z.custom<T>();
}

/** Our own id as it comes through a door: the right form, which says nothing about whether it exists. */
export function id<Id extends string>() {
  return z.custom<Id>((value) => typeof value === 'string' && isId(value), 'must be an id: 1 to 64 of A-Z a-z 0-9 _ -');
}

/** Free text. A lone surrogate could not be logged as it is, so it is refused before anything happens. */
export const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
export const someText = text.min(1, 'must not be empty');

/** A path; no file system takes a NUL. Whether it is absolute and exists is for the host to say. */
export const path = someText.refine((value) => !value.includes('\0'), 'must not contain a NUL character');

export const seq = z.int().nonnegative();

/** Any lossless JSON object. Depth is bounded, so that a hostile line cannot exhaust the stack. */
export const jsonObject = z.custom<JsonObject>().check((context) => {
  try {
    const value: unknown = context.value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new LosslessError('it', 'no object');
    lossless(value, 'it');
  } catch (fault) {
    if (!(fault instanceof LosslessError)) throw fault;
    context.issues.push({ code: 'custom', input: context.value, message: `must be a JSON object; ${fault.message}` });
  }
});

export const nothing = z.strictObject({});
