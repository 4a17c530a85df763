import { linkedRoots } from '../../app/sandbox/linkedGit.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { completePolicy } from './complete.ts';
import { protectionOf, type Protection } from './protection.ts';
import { identityOf, lstatOf, realPath, surveyOf, type Survey } from './survey.ts';

export interface Look {
  readonly policy: SandboxPolicy;
  /** Taken before the survey: what comes between is only seen once more. */
  readonly protection: Protection;
  readonly survey: Survey;
}

export interface LookOptions {
  readonly home: string;
  readonly runtime: readonly string[];
}

/**
 * The last look before a start, in one step that nothing of ours comes between: whether a linked worktree still is one, what
 * is protected, and what is there. Others may still change it meanwhile, so nothing that is opened for a linked worktree may
 * be reached through a link.
 */
export function lookAt(given: SandboxPolicy, { home, runtime }: LookOptions): Look | Unavailable {
  const policy = completePolicy(given, home);
  const protection = protectionOf(policy);
  const survey = surveyOf(policy, runtime);
  const swapped = linkedRoots(policy.linked).find(
    (path) =>
      survey.roots.includes(path) &&
      (realPath(path) !== path || survey.identities.get(path) !== identityOf(lstatOf(path))),
  );
  return swapped === undefined ? { policy, protection, survey } : swappedFault(swapped);
}

function swappedFault(path: string): Unavailable {
  const message = `${path} was replaced while the sandbox was prepared`;
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, remedy: 'Look at that folder, then try again.' };
}
