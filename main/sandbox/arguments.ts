import { carriers, isWithin } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Survey } from './survey.ts';

/** The Session's shared temp as the Compartment sees it, or one that this launch alone has. */
export type Temp = { readonly kind: 'shared'; readonly folder: string } | { readonly kind: 'own' };

export interface Mounts {
  readonly policy: SandboxPolicy;
  readonly survey: Survey;
  readonly temp: Temp;
}

const SHM_BYTES = 64 * 1024 * 1024;
/** Folders that only carry mount points inside them. */
const CARRIER_BYTES = 1024 * 1024;

/** Namespaces and lifetime of a confined launch. Without a Compartment it has network and ipc namespaces of its own. */
export function isolation(policy: SandboxPolicy, temp: Temp): string[] {
  const own =
    temp.kind === 'own' ? ['--unshare-ipc', ...(policy.settings.network === 'none' ? ['--unshare-net'] : [])] : [];
  return [
    ['--unshare-user', '--disable-userns', '--cap-drop', 'ALL', '--unshare-pid'],
    ['--unshare-uts', '--hostname', 'sandbox', '--unshare-cgroup-try'],
    own,
    ['--die-with-parent', '--new-session'],
  ].flat();
}

/** The file system of a confined launch: pure, from the policy and what was found of it (sandbox.md, Backends). */
export function mounts({ policy, survey, temp }: Mounts): string[] {
  const writable = policy.mode === 'workspace-write';
  const whole = writable && survey.roots.includes('/');
  const carried = carriers([...survey.roots, ...survey.runtime]);
  // A root directly below the temp covers its carrier whole, and is itself what would be made read-only there.
  const bare = carried.filter((path) => !survey.roots.includes(path) && !survey.runtime.includes(path));
  const layers = layersOf(survey, writable);
  return [
    [whole ? '--bind' : '--ro-bind', '/', '/'],
    ['--dev', '/dev', '--perms', '1777', '--size', String(SHM_BYTES), '--tmpfs', '/dev/shm'],
    ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'],
    empty('/run'),
    tempMount(policy, temp),
    carried.flatMap(empty),
    layers.flatMap((layer) => layer.mount),
    ['/run', '/dev', ...bare, ...masks(survey)].flatMap((path) => ['--remount-ro', path]),
  ].flat();
}

/** Mount points that must be there and writable, or there and read-only, before anything may run. */
export function expectedMounts({ policy, survey }: Mounts): {
  readonly writable: string[];
  readonly readOnly: string[];
} {
  const open = policy.mode === 'workspace-write' ? [...survey.roots, ...survey.pinned] : [];
  const closed = policy.mode === 'workspace-write' ? survey.guarded : survey.roots;
  const guarded = [...closed, ...survey.runtime, ...visibleHidden(survey).map(({ path }) => path)];
  return {
    writable: open.filter((path) => !guarded.includes(path)).concat('/tmp', '/dev/shm'),
    readOnly: [...guarded, '/run', '/dev', '/proc/sys'],
  };
}

interface Layer {
  readonly path: string;
  readonly rank: number;
  readonly mount: readonly string[];
}

/** A parent is mounted before what lies in it; of several mounts on one path the strictest comes last. */
function layersOf(survey: Survey, writable: boolean): Layer[] {
  const bind = (paths: readonly string[], rank: number, how: '--bind' | '--ro-bind'): Layer[] =>
    paths.map((path) => ({ path, rank, mount: [how, path, path] }));
  const layers = [
    ...bind(
      survey.roots.filter((root) => root !== '/'),
      0,
      writable ? '--bind' : '--ro-bind',
    ),
    ...(writable ? [...bind(survey.pinned, 1, '--bind'), ...bind(survey.guarded, 2, '--ro-bind')] : []),
    ...bind(survey.runtime, 3, '--ro-bind'),
    ...visibleHidden(survey).map(({ path, folder }) => ({ path, rank: 4, mount: folder ? empty(path) : blank(path) })),
    ...survey.sockets.filter((path) => isVisible(path, survey)).map((path) => ({ path, rank: 4, mount: blank(path) })),
  ];
  return layers.toSorted((a, b) => compare(a.path, b.path) || a.rank - b.rank);
}

/** What lies below `/tmp` or `/run` is not seen unless a root or the runtime brings it in, and is never mounted over. */
function visibleHidden(survey: Survey): Survey['hidden'] {
  return survey.hidden.filter(({ path }) => isVisible(path, survey));
}

function isVisible(path: string, { roots, runtime }: Survey): boolean {
  const covered = ['/tmp', '/run', '/dev', '/proc'].some((tree) => isWithin(path, tree));
  return !covered || [...roots, ...runtime].some((root) => root !== '/' && isWithin(path, root));
}

function masks(survey: Survey): string[] {
  return visibleHidden(survey).flatMap(({ path, folder }) => (folder ? [path] : []));
}

function tempMount(policy: SandboxPolicy, temp: Temp): string[] {
  if (temp.kind === 'shared') return ['--bind', temp.folder, '/tmp'];
  return ['--perms', '1777', '--size', String(policy.settings.limits.tempBytes), '--tmpfs', '/tmp'];
}

function empty(path: string): string[] {
  return ['--perms', '0755', '--size', String(CARRIER_BYTES), '--tmpfs', path];
}

function blank(path: string): string[] {
  return ['--ro-bind', '/dev/null', path];
}

/** By component, so that a folder comes right before what it holds. */
function compare(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [index, name] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other) return name < other ? -1 : 1;
  }
  return left.length - right.length;
}
