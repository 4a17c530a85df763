import { linkedProtected } from '../../app/sandbox/linkedGit.ts';
import { boundRoots, placeOf } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { protectedEntries, verdict } from '../../app/sandbox/verdict.ts';
import { hostSockets, lstatOf } from './survey.ts';

/** Which thing each protected entry was at one look, by its path; an entry that was not there is not in here. */
export type Protection = ReadonlyMap<string, string>;

export const NO_PROTECTION: Protection = new Map();

/** What a launch under this policy would protect now. No entry can be made where nothing may be written. */
export function protectionOf(policy: SandboxPolicy): Protection {
  const entries = policy.mode === 'workspace-write' ? entriesOf(policy) : [];
  return new Map(
    [...entries, ...socketsOf(policy)].flatMap((path) => {
      const found = lstatOf(path);
      return found ? [[path, `${found.mode >> 12n}:${found.dev}:${found.ino}`] as const] : [];
    }),
  );
}

/** What is there now and was not, or was another thing: it is not protected where the earlier look was all there was. */
export function unprotected(earlier: Protection, now: Protection): readonly string[] {
  return [...now].flatMap(([path, identity]) => (earlier.get(path) === identity ? [] : [path])).toSorted();
}

function entriesOf(policy: SandboxPolicy): readonly string[] {
  const { linked } = policy;
  const own = boundRoots(policy).flatMap((root) => [gitOf(root), ...protectedEntries(root, policy)]);
  return [...own, ...(linked ? linkedProtected(linked) : [])];
}

/** A launch masks the sockets of host programs that it sees; one that is opened later it could connect to. */
function socketsOf(policy: SandboxPolicy): readonly string[] {
  const { unixSockets, network } = policy.settings;
  if (unixSockets === 'block' || network === 'host' || policy.mode === 'danger-full-access') return [];
  return hostSockets().filter((path) => {
    const place = placeOf(path, policy);
    return place.kind === 'host' && verdict(place, 'read', policy).kind === 'allow';
  });
}

function gitOf(root: string): string {
  return root === '/' ? '/.git' : `${root}/.git`;
}
