/**
 * `now`, made of as much of `before` as is the same: whoever compares by identity sees only what has changed. Takes plain
 * data without cycles.
 */
export function shared<T>(before: unknown, now: T): T {
  if (isSame(before, now)) return before as T; // Equal in every member, so it has the type as well.
  if (!isData(before) || !isData(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  if (Array.isArray(now)) return now.map((item, index) => shared(before[index], item)) as T; // Each equals its own.
  const members = Object.keys(now).map((name) => [name, shared(before[name], now[name])]);
  return Object.fromEntries(members) as T; // As above.
}

interface Data {
  readonly [member: string]: unknown;
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null;
}

/** Allocates as good as nothing: nearly always this is all that is done. */
function isSame(before: unknown, now: unknown): boolean {
  if (Object.is(before, now)) return true;
  if (!isData(before) || !isData(now)) return false;
  if (Array.isArray(now)) return Array.isArray(before) && areSame(before, now);
  if (Array.isArray(before)) return false;
  const names = Object.keys(now);
  for (const name of names) if (!(name in before) || !isSame(before[name], now[name])) return false;
  return names.length === Object.keys(before).length;
}

function areSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && now.every((item, index) => isSame(before[index], item));
}
