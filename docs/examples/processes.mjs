// What the operating system says of a process and its descendants (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Live pids of `root` and everything below it. */
function treeOf(root) {
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

/** How many processes and descriptors there are, once that has been the same for a second. */
export async function settled(root) {
  const look = () => ({ processes: treeOf(root).length, descriptors: readdirSync(`/proc/${root}/fd`).length });
  let [seen, since] = [look(), Date.now()];
  while (Date.now() - since < 1000) {
    await new Promise((again) => setTimeout(again, 50));
    const now = look();
    if (now.processes !== seen.processes || now.descriptors !== seen.descriptors) [seen, since] = [now, Date.now()];
  }
  return seen;
}
