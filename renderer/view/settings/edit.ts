import type { Json, JsonObject } from '../../../app/base/json.ts';

/** One thing in the settings that a person wants otherwise. */
export interface Edit {
  /** Where it stands, key by key. */
  readonly at: readonly string[];
  /** Merged into what is there; null takes it out. */
  readonly to: Json;
  /** What stood there when the person began; undefined: nothing. */
  readonly seen: Json | undefined;
}

/** As `settings.set` takes it. */
export function changesOf({ at, to }: Edit): JsonObject {
  // At least one key, so what comes out is an object.
  return at.reduceRight<Json>((inner, key) => ({ [key]: inner }), to) as JsonObject;
}

export function valueAt(settings: Json, at: readonly string[]): Json | undefined {
  let value: Json | undefined = settings;
  for (const key of at) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Whether what the person began with is what stands there now: nobody else has changed this very thing. */
export function isUntouched({ at, seen }: Edit, settings: Json): boolean {
  return same(seen, valueAt(settings, at));
}

/** Whatever the order of the keys. */
function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item: Json, at) => same(item, other[at] as Json | undefined));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
