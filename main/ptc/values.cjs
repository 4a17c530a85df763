'use strict';
// What a program hands out: lossless JSON where it is, bounded text where it is not. Values are hostile: they may be
// proxies, throw when touched, or be larger than anyone should copy.
const { inspect, types } = require('node:util');

const { stringify } = JSON;
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { isArray } = Array;
const { isProxy, isNativeError } = types;

const MAX_DEPTH = 190;
const MAX_NODES = 500_000;
/** Characters of strings and keys; with the escapes of JSON the frame stays below its limit. */
const MAX_CHARS = 4 * 1024 * 1024;
const MAX_BYTES = 7 * 1024 * 1024;
const MAX_TEXT = 64 * 1024;
/** Values that inspect text is made of, and the items of a long array among them. */
const MAX_SHOWN = 5_000;
const FIRST_KEYS = Array.from({ length: 100 }, (_, index) => String(index));

module.exports = { describeError, inspectText, losslessJson };

/** `{ok: true, text}` or `{ok: false, reason}`. Getters and proxies are never asked: they are not lossless. */
function losslessJson(value) {
  const seen = { nodes: 0, chars: 0, open: new Set() };
  try {
    const reason = fault(value, 'value', seen);
    if (reason !== undefined) return { ok: false, reason };
    const text = stringify(value);
    return Buffer.byteLength(text) > MAX_BYTES ? { ok: false, reason: 'value: too large' } : { ok: true, text };
  } catch (error) {
    return { ok: false, reason: `value: ${describeError(error).message}` };
  }
}

function fault(value, path, seen) {
  seen.nodes += 1;
  if (seen.nodes > MAX_NODES) return `${path}: too many values`;
  switch (typeof value) {
    case 'boolean':
      return undefined;
    case 'string':
      return stringFault(value, path, seen);
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? undefined : `${path}: the number ${inspect(value)}`;
    case 'object':
      return value === null ? undefined : objectFault(value, path, seen);
    default:
      return `${path}: a value of type ${typeof value}`;
  }
}

function stringFault(text, path, seen) {
  seen.chars += text.length;
  if (seen.chars > MAX_CHARS) return `${path}: too large`;
  return text.isWellFormed() ? undefined : `${path}: a string with a lone surrogate`;
}

function objectFault(value, path, seen) {
  if (isProxy(value)) return `${path}: a proxy`;
  if (seen.open.has(value)) return `${path}: a cycle`;
  if (seen.open.size >= MAX_DEPTH) return `${path}: nested deeper than ${MAX_DEPTH}`;
  seen.open.add(value);
  const reason = isArray(value) ? arrayFault(value, path, seen) : plainFault(value, path, seen);
  seen.open.delete(value);
  return reason;
}

function arrayFault(array, path, seen) {
  if (array.length > MAX_NODES) return `${path}: too many values`;
  if (ownKeys(array).length !== array.length + 1) return `${path}: a sparse array, or one with extra properties`;
  for (let index = 0; index < array.length; index += 1) {
    const property = getOwnPropertyDescriptor(array, index);
    if (!property || !('value' in property)) return `${path}[${index}]: not a plain item`;
    const reason = fault(property.value, `${path}[${index}]`, seen);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function plainFault(object, path, seen) {
  const prototype = getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return `${path}: not a plain object`;
  for (const key of ownKeys(object)) {
    if (typeof key === 'symbol') return `${path}: a symbol key`;
    const property = getOwnPropertyDescriptor(object, key);
    if (!property.enumerable || !('value' in property)) return `${path}.${key}: not a plain property`;
    const reason = stringFault(key, path, seen) ?? fault(property.value, `${path}.${key}`, seen);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Cycles marked, getters not run, long parts cut with their size noted; no deeper than what can be shown quickly. */
function inspectText(value) {
  try {
    const depth = [4, 2, 1].find((levels) => sizeTo(value, levels, 0) < MAX_SHOWN) ?? 0;
    return bounded(inspect(value, { depth, maxArrayLength: 100, maxStringLength: 10_000 }));
  } catch (error) {
    return `[A value that cannot be shown: ${describeError(error).message}]`;
  }
}

/** How many values `inspect` would visit; it stops counting at the limit. */
function sizeTo(value, levels, before) {
  if (typeof value !== 'object' || value === null || isProxy(value) || levels < 0) return before + 1;
  let size = before + 1;
  for (const key of isArray(value) && value.length > 100 ? FIRST_KEYS : ownKeys(value)) {
    if (size >= MAX_SHOWN) return size;
    size = sizeTo(getOwnPropertyDescriptor(value, key)?.value, levels - 1, size);
  }
  return size;
}

function describeError(thrown) {
  if (!isNativeError(thrown) && !(typeof thrown === 'object' && thrown !== null && has(thrown, 'stack'))) {
    const message = inspectText(thrown);
    return { name: 'Thrown', message, stack: `Uncaught ${message}` };
  }
  const name = member(thrown, 'name') || 'Error';
  const message = member(thrown, 'message');
  const stack = withoutOwnFrames(member(thrown, 'stack')) || `${name}: ${message}`;
  return { name: bounded(name), message: bounded(message), stack: bounded(stack) };
}

function has(object, key) {
  try {
    return key in object;
  } catch {
    return false;
  }
}

function member(object, key) {
  try {
    return String(object[key] ?? '');
  } catch {
    return '';
  }
}

/** What stands below our own frames is how the kernel came to run the program. */
function withoutOwnFrames(stack) {
  const lines = stack.split('\n');
  const own = lines.findIndex(
    (line) => /^\s+at /.test(line) && (line.includes(__dirname) || line.includes('(node:inspector:')),
  );
  return own < 0 ? stack : lines.slice(0, own).join('\n');
}

function bounded(text) {
  if (text.length <= MAX_TEXT) return text.toWellFormed();
  return `${text.slice(0, MAX_TEXT).toWellFormed()}… ${text.length - MAX_TEXT} more characters`;
}
