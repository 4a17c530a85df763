import { accessSync, readFileSync, statSync } from 'node:fs';
import { isWithin, TEMP } from '../../app/sandbox/place.ts';
import { expectedMounts, type Mounts } from './arguments.ts';
import { identityOf } from './survey.ts';

/** Mounts that bubblewrap makes writable itself; `/proc` and the devices are guarded by the kernel. */
const OWN_WRITABLE = ['/proc', '/dev'];

/**
 * What is wrong with the sandbox that `init` waits in; undefined when it is the one that was ordered. A path may have been
 * swapped for a link since it was looked at, by a process that is confined more widely, and bubblewrap follows links
 * while it mounts: so what came out is looked at, not what was meant.
 */
export function buildFault(init: number, order: Mounts): string | undefined {
  const table = parse(readFileSync(`/proc/${init}/mountinfo`, 'utf8'));
  const expected = expectedMounts(order);
  // Of several mounts on one path the last is the one that is seen.
  const seen = new Map(table.map((mount) => [mount.path, mount.writable]));
  const other =
    expected.writable.find((path) => seen.get(path) !== true) ??
    expected.readOnly.find((path) => seen.get(path) !== false);
  if (other !== undefined) return `The sandbox came out otherwise than it was ordered, at ${other}`;
  const open = [...seen].find(
    ([path, writable]) => writable && !mayBeWritable(path, expected.writable) && isReachable(path),
  );
  if (open) return `The sandbox was built with ${open[0]} writable`;
  const { path, device, inode } = order.policy.workspace;
  const wanted = new Map([...order.survey.identities, [path, `${device}:${inode}`]]);
  // A mask is another thing than what it covers; a protected entry or a root that is only read may not be one either.
  const masks = new Set([...order.survey.hidden.map((hidden) => hidden.path), ...order.survey.sockets]);
  const bound = [...expected.writable, ...expected.readOnly].filter((each) => !masks.has(each));
  const swapped = [path, ...bound].find((each) => isOther(init, each, wanted.get(each)));
  return swapped === undefined ? undefined : `The sandbox was built with another ${swapped}`;
}

/** The private temp itself may be written; a mount below it is one that nobody ordered. */
function mayBeWritable(path: string, ordered: readonly string[]): boolean {
  const roots = [...ordered.filter((root) => root !== TEMP), ...OWN_WRITABLE];
  return path === TEMP || roots.some((root) => isWithin(path, root));
}

function isOther(init: number, path: string, wanted: string | undefined): boolean {
  return wanted !== undefined && identityOf(statSync(`/proc/${init}/root${path}`, { bigint: true })) !== wanted;
}

interface Mount {
  readonly path: string;
  readonly writable: boolean;
}

function parse(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const [, , , , path, options] = line.split(' ');
    return path === undefined || options === undefined
      ? []
      : [{ path: unescape(path), writable: options.split(',').includes('rw') }];
  });
}

/** Spaces, tabs, newlines and backslashes are written as three octal digits. */
function unescape(path: string): string {
  if (!path.includes('\\')) return path;
  const bytes = path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return bytes;
}

/** A mount of somebody else's that bubblewrap could not touch cannot be reached by us either. */
function isReachable(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false; // Whatever the reason: what we cannot reach, a process of ours cannot reach.
  }
}
