import type { ZodError } from 'zod';
import type { Json } from '../base/json.ts';

/** The first thing in a settings file that is not understood. Then nothing of the file is used. */
export interface SettingsIssue {
  readonly kind: 'issue';
  readonly path: readonly PropertyKey[];
  readonly key: string;
  readonly value?: Json;
  readonly allowed?: readonly Json[];
  readonly message: string;
}

/** Names the key, what is there and what may be there. */
export function issueOf(error: ZodError, root: Json): SettingsIssue {
  const [first] = error.issues;
  if (!first) throw new Error('A failed parse without an issue');
  const value = valueAt(root, first.path);
  const key = first.path.map(String).join('.');
  const allowed = allowedBy(first);
  return {
    kind: 'issue',
    path: first.path,
    key,
    ...(value !== undefined && { value }),
    ...(allowed && { allowed }),
    message: sentence({ key, value, allowed, reason: first.message }),
  };
}

function allowedBy(issue: ZodError['issues'][number]): readonly string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_type' && issue.expected === 'boolean' ? ['true', 'false'] : undefined;
}

interface Words {
  readonly key: string;
  readonly value: Json | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly reason: string;
}

function sentence({ key, value, allowed, reason }: Words): string {
  const subject = key === '' ? 'The file' : key;
  if (!allowed) return `${subject}: ${reason}`;
  const found = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  return `${subject} ${found}; allowed are ${allowed.join(', ')}`;
}

function valueAt(root: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: PropertyKey]: unknown })[key];
  }
  return value as Json | undefined; // Walked from a Json.
}
