// What the operating system says of a process and its descendants (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Live pids of `root` and everything below it. */
export function treeOf(root) {
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (state !== 'Z') parents.set(Number(pid), Number(parent));
    } catch {
      // It ended while we looked.
    }
  }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

/** Open descriptors of a process. */
export function descriptorsOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).length;
}
