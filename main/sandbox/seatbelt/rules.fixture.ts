import { isWithin } from '../../../app/sandbox/place.ts';
import type { Profile } from './profile.ts';

/** What a process asks the kernel for, and of what. */
export interface Ask {
  readonly operation: string;
  /** The path, or whatever else a filter names. */
  readonly of?: string;
}

type Expression = string | readonly Expression[];

/**
 * Reads a profile as the kernel does: of the rules that name the operation and have a filter that matches, or none, the
 * last one decides. A form that it does not know is an error, so that a rule can never be passed over.
 */
export function decide({ profile, parameters }: Profile, ask: Ask): 'allow' | 'deny' {
  let decision: 'allow' | 'deny' | undefined;
  for (const rule of parse(profile)) {
    if (typeof rule === 'string') throw new Error(`A word stands alone: ${rule}`);
    const [action, ...rest] = rule;
    if (action === 'version') continue;
    if (action !== 'allow' && action !== 'deny') throw new Error(`Not a rule: ${JSON.stringify(rule)}`);
    const operations = rest.filter((part) => typeof part === 'string');
    const filters = rest.filter((part) => typeof part !== 'string');
    if (!operations.some((name) => names(name, ask.operation))) continue;
    if (filters.length === 0 || filters.some((filter) => matches(filter, ask, parameters))) decision = action;
  }
  if (decision === undefined) throw new Error('The profile has no default');
  return decision;
}

function names(name: string, operation: string): boolean {
  if (name === 'default' || name === operation) return true;
  return name.endsWith('*') && operation.startsWith(name.slice(0, -1));
}

function matches(filter: readonly Expression[], { of }: Ask, parameters: Profile['parameters']): boolean {
  const [kind, value] = filter;
  if (of === undefined || value === undefined) return false;
  const text = valueOf(value, parameters);
  switch (kind) {
    case 'literal':
    case 'global-name':
    case 'remote':
    case 'local':
    case 'target':
      return of === text;
    case 'subpath':
      return of.startsWith('/') && isWithin(of, text);
    default:
      throw new Error(`Not a filter: ${JSON.stringify(filter)}`);
  }
}

function valueOf(value: Expression, parameters: Profile['parameters']): string {
  if (typeof value === 'string') return value;
  const [kind, name] = value;
  const found = kind === 'param' && typeof name === 'string' ? parameters[name] : undefined;
  if (found === undefined) throw new Error(`Not a parameter: ${JSON.stringify(value)}`);
  return found;
}

function parse(text: string): readonly Expression[] {
  const stack: Expression[][] = [[]];
  for (const [token] of text.matchAll(/[()]|"[^"]*"|[^\s()"]+/g)) {
    if (token === '(') stack.push([]);
    else {
      const done = token === ')' ? stack.pop() : token.replaceAll('"', '');
      if (done === undefined) throw new Error('A bracket too many');
      stack.at(-1)?.push(done);
    }
  }
  const [rules] = stack;
  if (rules === undefined || stack.length > 1) throw new Error('A bracket is not closed');
  return rules;
}
