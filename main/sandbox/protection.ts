import { linkedProtected } from '../../app/sandbox/linkedGit.ts';
import { boundRoots, placeOf } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { protectedEntries, verdict } from '../../app/sandbox/verdict.ts';
import { nestedProtected } from './nestedGit.ts';
import { hostSockets, lstatOf, realPath } from './survey.ts';

/** Which thing each protected entry and each hidden path was at one look; what was not there is not in here. */
export type Protection = ReadonlyMap<string, string>;

export const NO_PROTECTION: Protection = new Map();

/** What a launch under this policy would protect and hide now. No entry can be made where nothing may be written. */
export function protectionOf(policy: SandboxPolicy): Protection {
  const entries = policy.mode === 'workspace-write' ? entriesOf(policy) : [];
  const named = [...entries, ...socketsOf(policy)].flatMap((path) => {
    const found = lstatOf(path);
    return found ? [[path, `${found.mode >> 12n}:${found.dev}:${found.ino}`] as const] : [];
  });
  return new Map([...named, ...hiddenOf(policy)]);
}

/**
 * What of the hidden paths a launch would mask now, under the names that links lead to. A mask lies on the very thing that
 * was there: it goes with it when a host program puts another in its place, and where nothing was none could be put without
 * making what it hides. So what came later is seen by what runs, and can only be noticed.
 */
export function hiddenOf(policy: SandboxPolicy): Protection {
  const { hide } = policy.settings;
  if (policy.mode === 'danger-full-access') return NO_PROTECTION;
  return new Map(
    hide.flatMap((path) => {
      const real = realPath(path);
      const found = real === undefined ? undefined : lstatOf(real);
      if (real === undefined || found === undefined) return [];
      const others = hide.filter((other) => other !== path && other !== real);
      if (!isSeen(real, { ...policy, settings: { ...policy.settings, hide: others } })) return [];
      // Who removes a file and makes it again may get the number of the old one.
      return [[real, `${found.mode >> 12n}:${found.dev}:${found.ino}:${found.birthtimeNs}`] as const];
    }),
  );
}

/** What is there now and was not, or was another thing: it is not protected where the earlier look was all there was. */
export function unprotected(earlier: Protection, now: Protection): readonly string[] {
  return [...now].flatMap(([path, identity]) => (earlier.get(path) === identity ? [] : [path])).toSorted();
}

function entriesOf(policy: SandboxPolicy): readonly string[] {
  const { linked } = policy;
  const own = boundRoots(policy).flatMap((root) => [
    gitOf(root),
    ...protectedEntries(root, policy),
    ...nestedProtected(gitOf(root)),
  ]);
  return [...own, ...(linked ? [...linkedProtected(linked), ...nestedProtected(linked.entry)] : [])];
}

/** A launch masks the sockets of host programs that it sees; one that is opened later it could connect to. */
function socketsOf(policy: SandboxPolicy): readonly string[] {
  const { unixSockets, network } = policy.settings;
  if (unixSockets === 'block' || network === 'host' || policy.mode === 'danger-full-access') return [];
  return hostSockets().filter((path) => isSeen(path, policy));
}

function isSeen(path: string, policy: SandboxPolicy): boolean {
  const place = placeOf(path, policy);
  return place.kind === 'host' && verdict(place, 'read', policy).kind === 'allow';
}

function gitOf(root: string): string {
  return root === '/' ? '/.git' : `${root}/.git`;
}
