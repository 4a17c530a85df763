export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A value that JSON would lose or bend. `path` names the place, as in `data.items[2]`. */
export class LosslessError extends Error {
  override readonly name = 'LosslessError';
  readonly path: string;
  readonly reason: string;
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

const MAX_DEPTH = 200;

/**
 * Copies and deeply freezes `value`, in one pass.
 * Lossless (sessions.md, Event): null, booleans, well-formed strings, finite numbers except -0, dense arrays, plain
 * objects with own enumerable string keys. Everything else throws a LosslessError and nothing is kept.
 */
export function lossless(value: unknown, path = 'data'): Json {
  return copy(value, { key: path, depth: 0 });
}

/** Freezes what JSON.parse made, all the way down, and gives it back. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}

/** Where the copy is: a chain to the root, so that a path is spelled out only when something is wrong there. */
interface Place {
  readonly key: string | number;
  readonly depth: number;
  readonly inside?: Place;
  readonly container?: object;
}

function copy(value: unknown, at: Place): Json {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      if (!value.isWellFormed()) throw fault(at, 'a string with a lone surrogate');
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw fault(at, `the number ${value}`);
      if (Object.is(value, -0)) throw fault(at, 'negative zero');
      return value;
    case 'object':
      return value === null ? null : copyObject(value, at);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw fault(at, `a value of type ${typeof value}`);
    default:
      throw fault(at, 'an unknown kind of value');
  }
}

function copyObject(value: object, at: Place): Json {
  if (at.depth >= MAX_DEPTH) throw fault(at, `nested deeper than ${MAX_DEPTH}`);
  for (let outer: Place | undefined = at; outer; outer = outer.inside) {
    if (outer.container === value) throw fault(at, 'a cycle');
  }
  return Object.freeze(Array.isArray(value) ? copyArray(value, at) : copyPlain(value, at));
}

function copyArray(value: readonly unknown[], at: Place): Json[] {
  if (Reflect.ownKeys(value).length !== value.length + 1) {
    throw fault(at, 'a sparse array, or one with extra properties');
  }
  return value.map((item, index) => copy(item, step(at, index, value)));
}

function copyPlain(value: object, at: Place): { [key: string]: Json } {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw fault(at, 'not a plain object');
  const result: { [key: string]: Json } = {};
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') throw fault(at, 'a symbol key');
    if (!key.isWellFormed()) throw fault(at, 'a key with a lone surrogate');
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property?.enumerable || !('value' in property)) throw fault(step(at, key, value), 'not a plain property');
    const item = copy(property.value, step(at, key, value));
    if (key === '__proto__') define(result, key, item);
    else result[key] = item;
  }
  return result;
}

/** Assigning `__proto__` would set the prototype of the copy. */
function define(target: object, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function step(at: Place, key: string | number, container: object): Place {
  return { key, depth: at.depth + 1, inside: at, container };
}

function fault(at: Place, reason: string): LosslessError {
  let path = '';
  let place = at;
  for (; place.inside; place = place.inside) {
    path = (typeof place.key === 'number' ? `[${place.key}]` : `.${place.key}`) + path;
  }
  return new LosslessError(`${place.key}${path}`, reason);
}
