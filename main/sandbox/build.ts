import { access, readFile, stat } from 'node:fs/promises';
import { isWithin } from '../../app/sandbox/place.ts';
import { expectedMounts, type Mounts } from './arguments.ts';

/** Mounts that bubblewrap makes writable itself; `/proc` and the devices are guarded by the kernel. */
const OWN_WRITABLE = ['/proc', '/dev', '/tmp'];

/**
 * What is wrong with the sandbox that `init` waits in; undefined when it is the one that was ordered. A path may have been
 * swapped for a link since it was looked at, by a process that is confined more widely, and bubblewrap follows links
 * while it mounts: so what came out is looked at, not what was meant.
 */
export async function buildFault(init: number, order: Mounts): Promise<string | undefined> {
  const table = parse(await readFile(`/proc/${init}/mountinfo`, 'utf8'));
  const expected = expectedMounts(order);
  // Of several mounts on one path the last is the one that is seen.
  const seen = new Map(table.map((mount) => [mount.path, mount.writable]));
  const other = expected.writable.find((path) => seen.get(path) !== true) ?? expected.readOnly.find((path) => seen.get(path) !== false);
  if (other !== undefined) return `The sandbox was built with another ${other}`;
  const roots = [...expected.writable, ...OWN_WRITABLE];
  for (const { path, writable } of table) {
    if (writable && !roots.some((root) => isWithin(path, root)) && (await isReachable(path)))
      return `The sandbox was built with ${path} writable`;
  }
  const { path, device, inode } = order.policy.workspace;
  const workspace = await stat(`/proc/${init}/root${path}`, { bigint: true });
  const same = String(workspace.dev) === device && String(workspace.ino) === inode;
  return same ? undefined : `The sandbox was built with another ${path}`;
}

interface Mount {
  readonly path: string;
  readonly writable: boolean;
}

function parse(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const [, , , , path, options] = line.split(' ');
    return path === undefined || options === undefined ? [] : [{ path: unescape(path), writable: options.split(',').includes('rw') }];
  });
}

/** Spaces, tabs, newlines and backslashes are written as three octal digits. */
function unescape(path: string): string {
  if (!path.includes('\\')) return path;
  const bytes = path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return bytes;
}

/** A mount of somebody else's that bubblewrap could not touch cannot be reached by us either. */
async function isReachable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
