// Read as text into the page and imported by the main process: it has neither imports nor a host.

/** What JSON cannot say, by the name of its kind. */
type Tagged = { readonly $: string; readonly [key: string]: unknown };

const UNCLONEABLE = 'An object could not be cloned.';

/** To JSON, refusing what the structured clone algorithm refuses. */
export function encode(value: unknown): unknown {
  return encodeWithin(value, []);
}

function encodeWithin(value: unknown, parents: readonly object[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return encodeNumber(value);
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'bigint') return { $: 'bigint', value: String(value) };
  if (typeof value !== 'object') throw new Error(UNCLONEABLE);
  if (parents.includes(value)) throw new Error('electron stand-in: a cyclic payload is not supported');
  const inner = [...parents, value];
  if (Array.isArray(value)) return value.map((item: unknown) => encodeWithin(item, inner));
  return encodeBuiltIn(value, inner) ?? encodePlain(value, inner);
}

function encodeNumber(value: number): unknown {
  const plain = Number.isFinite(value) && !Object.is(value, -0);
  return plain ? value : { $: 'number', value: Object.is(value, -0) ? '-0' : String(value) };
}

function encodeBuiltIn(value: object, parents: readonly object[]): Tagged | undefined {
  if (value instanceof Date) return { $: 'date', value: value.getTime() };
  if (value instanceof RegExp) return { $: 'regexp', value: value.source, flags: value.flags };
  if (value instanceof Error) return { $: 'error', name: value.name, message: value.message, stack: value.stack };
  if (value instanceof Set) return { $: 'set', value: [...value].map((item: unknown) => encodeWithin(item, parents)) };
  if (value instanceof Map) {
    return { $: 'map', value: [...value].map((pair: unknown[]) => pair.map((item) => encodeWithin(item, parents))) };
  }
  if (value instanceof ArrayBuffer) return { $: 'buffer', value: toBase64(new Uint8Array(value)) };
  if (ArrayBuffer.isView(value)) {
    return { $: 'bytes', value: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw new Error(UNCLONEABLE);
  return undefined;
}

/** An instance of a class loses its class, as when it is cloned. */
function encodePlain(value: object, parents: readonly object[]): unknown {
  const entries = Object.entries(value).map(([key, item]) => [key, encodeWithin(item, parents)] as const);
  return '$' in value ? { $: 'object', value: entries } : Object.fromEntries(entries);
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Only of what `encode` made. */
export function decode(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decode);
  if ('$' in value) return decodeTagged(value as Tagged); // `encode` puts `$` on nothing else
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

function decodeTagged(tagged: Tagged): unknown {
  const text = String(tagged['value']);
  switch (tagged.$) {
    case 'number':
      return Number(text);
    case 'bigint':
      return BigInt(text);
    case 'date':
      return new Date(Number(tagged['value']));
    case 'regexp':
      return new RegExp(text, String(tagged['flags']));
    case 'error':
      return decodeError(tagged);
    case 'set':
      return new Set(pairsOf(tagged).map(decode));
    case 'map':
      return new Map(pairsOf(tagged).map((pair) => pairOf(pair)));
    case 'buffer':
      return fromBase64(text).buffer;
    case 'bytes':
      return fromBase64(text);
    case 'object':
      return Object.fromEntries(pairsOf(tagged).map((pair) => pairOf(pair)));
    default:
      return undefined;
  }
}

function pairsOf(tagged: Tagged): readonly unknown[] {
  return Array.isArray(tagged['value']) ? tagged['value'] : [];
}

function pairOf(pair: unknown): [string, unknown] {
  const [key, item]: unknown[] = Array.isArray(pair) ? pair : [];
  // Keys of a map may be anything; only those of an object are text.
  return [decode(key) as string, decode(item)];
}

function decodeError(tagged: Tagged): Error {
  const known = { TypeError, RangeError, SyntaxError, ReferenceError, URIError };
  const Kind = Object.entries(known).find(([name]) => name === tagged['name'])?.[1] ?? Error;
  const error = new Kind(String(tagged['message']));
  error.stack = String(tagged['stack']);
  return error;
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
