import type { SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Mode } from '../sandbox/mode.ts';

/** Everything an approval is bound to: when any of it differs, it is a new question (policy.md, One-time escalation). */
export interface BoundCall {
  readonly sessionId: SessionId;
  readonly tool: string;
  /** The full arguments, as validated. */
  readonly input: Json;
  readonly cwd: string;
  /** The Mode asked for; absent when no wider one is. */
  readonly to?: Mode;
}

/** The text whose digest stands for the call: equal calls give equal texts, whatever the order of their keys. */
export function canonicalCall({ sessionId, tool, input, cwd, to }: BoundCall): string {
  return canonical({ sessionId, tool, input, cwd, to: to ?? null });
}

function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
