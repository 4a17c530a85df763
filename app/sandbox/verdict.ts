import { assertNever } from '../base/never.ts';
import { mayWriteLinked } from './linkedGit.ts';
import { GIT_PROTECTED, isNestedProtected } from './nestedGit.ts';
import { boundRoots, carriers, isWithin, type Place } from './place.ts';
import { writableRoots, type SandboxPolicy } from './policy.ts';

export type Operation = 'read' | 'write';
export type Verdict = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string };

/** Trees that a confined process has of its own; the host's are another thing of the same name. */
const OWN_TREES = ['/proc', '/dev', '/run'];

const allow: Verdict = { kind: 'allow' };

/** What a policy says of one operation on one place: the same for processes and for file tools (contract.md, Tools). */
export function verdict(place: Place, operation: Operation, policy: SandboxPolicy): Verdict {
  if (policy.mode === 'danger-full-access' || place.path === '/dev/null') return allow;
  if (isHidden(place.path, policy)) return deny(`${place.path} is hidden from this Session`);
  switch (operation) {
    case 'read':
      return judgeRead(place, policy);
    case 'write':
      return judgeWrite(place, policy);
    default:
      return assertNever(operation);
  }
}

/** The entries below one writable root that stay read-only; `.git` itself may be written into but not replaced. */
export function protectedEntries(root: string, policy: SandboxPolicy): readonly string[] {
  const names = [...GIT_PROTECTED.map((name) => `.git/${name}`), ...policy.settings.protectedNames];
  return names.map((name) => join(root, name));
}

/** The nearest of the enclosing folders decides: a root inside a hidden folder is seen, a hidden folder in a root is not. */
function isHidden(path: string, policy: SandboxPolicy): boolean {
  const hidden = nearest(path, policy.settings.hide);
  return hidden >= 0 && hidden >= nearest(path, boundRoots(policy));
}

function judgeRead(place: Place, policy: SandboxPolicy): Verdict {
  const own = OWN_TREES.some((tree) => isWithin(place.path, tree)) && nearest(place.path, boundRoots(policy)) < 0;
  return own ? deny(`${place.path} belongs to the host; a confined process has its own`) : allow;
}

function judgeWrite(place: Place, policy: SandboxPolicy): Verdict {
  if (place.kind === 'temp') {
    const carried = carriers(boundRoots(policy)).some((carrier) => isWithin(place.path, carrier));
    return carried ? deny(`${place.path} only leads to a workspace and is read-only`) : allow;
  }
  const roots = writableRoots(policy);
  if (roots.length === 0) return deny('The Mode is read-only');
  const inside = roots.filter((root) => isWithin(place.path, root));
  if (inside.length === 0) return deny(`${place.path} is outside the writable roots: ${roots.join(', ')}`);
  const { linked } = policy;
  if (linked && isWithin(place.path, linked.common))
    return mayWriteLinked(place.path, linked) ? allow : deny(`${place.path} is protected`);
  for (const root of inside) {
    if (place.path === join(root, '.git')) return deny(`${place.path} cannot be replaced`);
    const entry = protectedEntries(root, policy).find((path) => isWithin(place.path, path));
    if (entry !== undefined) return deny(`${entry} is protected`);
    if (isNestedProtected(place.path, join(root, '.git'))) return deny(`${place.path} is protected`);
  }
  return allow;
}

/** Length of the longest of `folders` around `path`; -1 when there is none. */
function nearest(path: string, folders: readonly string[]): number {
  return folders.reduce((best, folder) => (isWithin(path, folder) ? Math.max(best, folder.length) : best), -1);
}

function join(root: string, name: string): string {
  return root === '/' ? `/${name}` : `${root}/${name}`;
}

function deny(reason: string): Verdict {
  return { kind: 'deny', reason };
}
