import { isDeepStrictEqual } from 'node:util';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { linkedGitOf } from './worktree.ts';

/** Our own data is hidden whatever the settings say. A link to a git folder counts only while it still holds. */
export function completePolicy({ linked, ...policy }: SandboxPolicy, home: string): SandboxPolicy {
  const { settings } = policy;
  const complete = { ...policy, settings: { ...settings, hide: [...new Set([...settings.hide, home])] } };
  return linked && isDeepStrictEqual(linked, linkedGitOf(complete)) ? { ...complete, linked } : complete;
}
