import { access, readFile, stat } from 'node:fs/promises';
import { isWithin } from '../../app/sandbox/place.ts';
import { expectedMounts, type Mounts } from './arguments.ts';

/** Mounts that bubblewrap makes writable itself; `/proc` and the devices are guarded by the kernel. */
const OWN_WRITABLE = ['/proc', '/dev', '/tmp'];

/**
 * Whether the sandbox that `init` waits in is the one that was ordered. A path may have been swapped for a link since it
 * was looked at, by a process that is confined more widely, and bubblewrap follows links while it mounts: so what came
 * out is looked at, not what was meant. Throws when something is writable that must not be.
 */
export async function isBuilt(init: number, order: Mounts): Promise<boolean> {
  const table = parse(await readFile(`/proc/${init}/mountinfo`, 'utf8'));
  const expected = expectedMounts(order);
  const last = new Map(table.map((mount) => [mount.path, mount.writable]));
  const complete =
    expected.writable.every((path) => last.get(path) === true) && expected.readOnly.every((path) => last.get(path) === false);
  if (!complete || table.some(({ path }) => isWithin(path, '/newroot') || isWithin(path, '/oldroot'))) return false;
  const roots = [...expected.writable, ...OWN_WRITABLE];
  for (const { path, writable } of table) {
    if (writable && !roots.some((root) => isWithin(path, root)) && (await isReachable(path)))
      throw new Error(`The sandbox was built with ${path} writable`);
  }
  const { path, device, inode } = order.policy.workspace;
  const seen = await stat(`/proc/${init}/root${path}`, { bigint: true });
  if (String(seen.dev) !== device || String(seen.ino) !== inode) throw new Error(`The sandbox was built with another ${path}`);
  return true;
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
