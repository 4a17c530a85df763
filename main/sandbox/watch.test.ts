import { expect, it, vi } from 'vitest';
import type { Exceeded } from '../../app/sandbox/provider.ts';
import type { TreeUse } from './treeUse.ts';
import { Watch, type Watched } from './watch.ts';

const EVERY_MS = 5;

/** A sandbox that uses what the test says. */
function sandbox(use: TreeUse | undefined) {
  const gone = Promise.withResolvers<void>();
  const exceeded: Exceeded[] = [];
  const crowded: boolean[] = [];
  const looked = { times: 0, use };
  const watched: Watched = {
    limits: { memoryBytes: 1000, processes: 10 },
    look: async () => {
      looked.times += 1;
      return looked.use;
    },
    crowded: (is) => void crowded.push(is),
    exceed: (limit) => {
      exceeded.push(limit);
      gone.resolve();
    },
  };
  return { watched, looked, exceeded, crowded, gone };
}

it('ends a tree that uses more memory than it may, and looks no more', async () => {
  const watch = new Watch(EVERY_MS);
  const { watched, exceeded, gone } = sandbox({ tasks: 1, memoryBytes: 1001 });
  watch.add(watched, gone.promise);
  await gone.promise;
  await vi.waitFor(() => expect(watch.isIdle).toBe(true));
  expect(exceeded).toEqual(['memory']);
});

it('ends a tree with more processes than it may have at once, and one at its limit only when that lasts', async () => {
  const watch = new Watch(EVERY_MS);
  const over = sandbox({ tasks: 11, memoryBytes: 0 });
  const passing = sandbox({ tasks: 9, memoryBytes: 0 });
  const lasting = sandbox({ tasks: 9, memoryBytes: 0 });
  for (const { watched, gone } of [over, passing, lasting]) watch.add(watched, gone.promise);
  passing.watched.crowded = (is) => {
    passing.crowded.push(is);
    passing.looked.use = { tasks: 2, memoryBytes: 0 };
  };
  await Promise.all([over.gone.promise, lasting.gone.promise]);
  await vi.waitFor(() => expect(passing.crowded).toContain(false));
  expect(over.crowded).toHaveLength(1);
  expect(lasting.crowded.length).toBeGreaterThan(1);
  expect([over, passing, lasting].map(({ exceeded }) => exceeded)).toEqual([['process'], [], ['process']]);
  passing.gone.resolve();
});

it('keeps looking after a look that failed, and has no timer once everything has ended', async () => {
  const watch = new Watch(EVERY_MS);
  const { watched, looked, exceeded, gone } = sandbox({ tasks: 1, memoryBytes: 1 });
  let failures = 0;
  const look = () => {
    failures += 1;
    return failures === 1 ? Promise.reject(new Error('no descriptors')) : watched.look();
  };
  watch.add({ ...watched, look }, gone.promise);
  await vi.waitFor(() => expect(looked.times).toBeGreaterThan(1));
  expect(watch.isIdle).toBe(false);
  gone.resolve();
  await vi.waitFor(() => expect(watch.isIdle).toBe(true));
  expect(exceeded).toEqual([]);
});

it('sees one that uses too much while the look at another does not come back', async () => {
  const watch = new Watch(EVERY_MS);
  const stuck = sandbox(undefined);
  const began = Promise.withResolvers<void>();
  const look = () => {
    began.resolve();
    return new Promise<undefined>(() => undefined);
  };
  watch.add({ ...stuck.watched, look }, stuck.gone.promise);
  await began.promise;
  const greedy = sandbox({ tasks: 1, memoryBytes: 1001 });
  watch.add(greedy.watched, greedy.gone.promise);
  await greedy.gone.promise;
  expect(greedy.exceeded).toEqual(['memory']);
  stuck.gone.resolve();
  await vi.waitFor(() => expect(watch.isIdle).toBe(true));
});

it('rests nine times as long as a look took, near a limit too', async () => {
  const watch = new Watch(EVERY_MS);
  const { watched, gone } = sandbox(undefined);
  const looks: { readonly began: number; readonly ended: number }[] = [];
  const look = async (): Promise<TreeUse> => {
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    looks.push({ began, ended: performance.now() });
    return { tasks: 1, memoryBytes: 900 };
  };
  watch.add({ ...watched, look }, gone.promise);
  await vi.waitFor(() => expect(looks.length).toBeGreaterThan(1), 20_000);
  const [first = { began: 0, ended: 0 }, second = first] = looks;
  expect(second.began - first.ended).toBeGreaterThan((first.ended - first.began) * 8.5);
  gone.resolve();
});
