import type { Json, JsonObject } from '../../app/base/json.ts';

/** JSON Merge Patch (RFC 7396): members replace, null removes, everything that is not named stays. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else members.set(key, mergePatch(members.get(key), change));
  }
  return Object.fromEntries(members);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
