import * as z from 'zod';
import { messageOf } from '../base/fault.ts';
import type { Json } from '../base/json.ts';

// A call's `input` is any JSON: invalid calls are what scripts are for (contract.md, The scripted agent).
const json = z.custom<Json>((value) => value !== undefined, 'missing');

const call = z.strictObject({ id: z.string().min(1), tool: z.string(), input: json });
const answer = z.strictObject({
  text: z.string().optional(),
  await: z.string().min(1).optional(),
  calls: z.array(call).optional(),
});
const answers = z.array(answer);
const script = z.strictObject({
  answers,
  children: z.record(z.string(), z.strictObject({ answers })).optional(),
});

export type Answer = z.output<typeof answer>;
export type Script = z.output<typeof script>;

export interface ScriptFault {
  readonly kind: 'script-invalid';
  /** Names the place, as in `answers[2].calls[0].tool`. */
  readonly message: string;
}

/** Checks a script whole. `text` is the file's content. */
export function parseScript(text: string): Script | ScriptFault {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (fault) {
    return { kind: 'script-invalid', message: `not JSON: ${messageOf(fault)}` };
  }
  const parsed = script.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return { kind: 'script-invalid', message: `${place(issue?.path ?? [])}: ${issue?.message ?? 'invalid'}` };
}

function place(path: readonly PropertyKey[]): string {
  return (
    path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('') ||
    'the script'
  );
}
