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
  return copy(value, { path, depth: 0, open: new Set() });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly open: Set<object>;
}

function copy(value: unknown, at: Place): Json {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      if (!value.isWellFormed()) throw new LosslessError(at.path, 'a string with a lone surrogate');
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new LosslessError(at.path, `the number ${value}`);
      if (Object.is(value, -0)) throw new LosslessError(at.path, 'negative zero');
      return value;
    case 'object':
      return value === null ? null : copyObject(value, at);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new LosslessError(at.path, `a value of type ${typeof value}`);
    default:
      throw new LosslessError(at.path, 'an unknown kind of value');
  }
}

function copyObject(value: object, at: Place): Json {
  if (at.depth >= MAX_DEPTH) throw new LosslessError(at.path, `nested deeper than ${MAX_DEPTH}`);
  if (at.open.has(value)) throw new LosslessError(at.path, 'a cycle');
  at.open.add(value);
  const result = Array.isArray(value) ? copyArray(value, at) : copyPlain(value, at);
  at.open.delete(value);
  return Object.freeze(result);
}

function copyArray(value: readonly unknown[], at: Place): Json[] {
  if (Reflect.ownKeys(value).length !== value.length + 1) {
    throw new LosslessError(at.path, 'a sparse array, or one with extra properties');
  }
  return value.map((item, index) => copy(item, { ...at, path: `${at.path}[${index}]`, depth: at.depth + 1 }));
}

function copyPlain(value: object, at: Place): { [key: string]: Json } {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new LosslessError(at.path, 'not a plain object');
  const result: { [key: string]: Json } = {};
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') throw new LosslessError(at.path, 'a symbol key');
    if (!key.isWellFormed()) throw new LosslessError(at.path, 'a key with a lone surrogate');
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property?.enumerable || !('value' in property))
      throw new LosslessError(`${at.path}.${key}`, 'not a plain property');
    // `__proto__` as an own key would set the prototype of the copy.
    Object.defineProperty(result, key, {
      value: copy(property.value, { ...at, path: `${at.path}.${key}`, depth: at.depth + 1 }),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}
