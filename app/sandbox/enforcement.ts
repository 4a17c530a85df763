import type { SandboxPolicy } from './policy.ts';
import type { Enforcement, Unavailable } from './provider.ts';

/** Why what this machine enforces is not enough for the policy; undefined when it is. Full access asks for nothing. */
export function enforcementFault(
  { mode, settings }: Pick<SandboxPolicy, 'mode' | 'settings'>,
  enforcement: Enforcement,
): Unavailable | undefined {
  if (mode === 'danger-full-access' || settings.requireEnforcement === 'any' || enforcement === 'full')
    return undefined;
  const what = enforcement === 'partial' ? 'only a part of what a Mode promises' : 'nothing';
  return {
    kind: 'unavailable',
    code: 'SANDBOX_UNAVAILABLE',
    message: `The settings demand full enforcement, and this machine enforces ${what}`,
    remedy: 'Run the doctor to see what is missing, or set launch.requireEnforcement to "any".',
  };
}
