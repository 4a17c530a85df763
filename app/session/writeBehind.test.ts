import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deferred } from '../base/deferred.ts';
import { StorageError } from '../log/journal.ts';
import { FakeTimers, settle } from './session.fixture.ts';
import { WriteBehind } from './writeBehind.ts';

function started() {
  const timers = new FakeTimers();
  const batches: number[][] = [];
  const told: number[] = [];
  const troubles: (StorageError | undefined)[] = [];
  const disk: { failure?: Error; hold?: Promise<void> } = {};
  const queue = new WriteBehind<number>({
    timers,
    write: async (batch) => {
      await disk.hold;
      if (disk.failure) throw disk.failure;
      batches.push([...batch]);
    },
    onWritten: (batch) => void told.push(...batch),
    onTrouble: (trouble) => void troubles.push(trouble),
  });
  queue.begin();
  return { timers, batches, told, troubles, disk, queue };
}

describe('write-behind', () => {
  it('PER-8: ten events 3 ms apart are one batch', async () => {
    const { queue, timers, batches } = started();
    for (let event = 0; event < 10; event += 1) {
      queue.add(event);
      await timers.pass(3);
    }
    expect(batches).toEqual([]);
    await timers.pass(20);
    expect(batches).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    expect(timers.waiting).toBe(0);
  });

  it('is written 50 ms after the first event, however many join', async () => {
    const { queue, timers, batches } = started();
    for (let event = 0; event < 30; event += 1) {
      queue.add(event);
      await timers.pass(3);
    }
    expect(batches[0]?.length).toBe(17);
  });

  it('does not wait for the window when it is flushed', async () => {
    const { queue, timers, batches } = started();
    queue.add(1);
    await queue.flush();
    expect([batches, timers.waiting]).toEqual([[[1]], 0]);
  });

  it('PER-9: keeps a batch that failed in the background, and a flush writes the same events in order', async () => {
    const { queue, timers, batches, disk, troubles } = started();
    disk.failure = new StorageError('disk full', true);
    queue.add(1);
    queue.add(2);
    await timers.pass(50);
    expect(troubles).toEqual([disk.failure]);
    const surfaced: unknown = await queue.flush().catch((fault: unknown) => fault);
    expect(surfaced).toBe(disk.failure);
    delete disk.failure;
    await queue.flush();
    expect(batches).toEqual([[1, 2]]);
    expect(troubles.at(-1)).toBeUndefined();
  });

  it('PER-9: tries again with the next event, behind what had failed', async () => {
    const { queue, timers, batches, told, disk } = started();
    disk.failure = new Error('broken');
    queue.add(1);
    await timers.pass(1000);
    delete disk.failure;
    queue.add(2);
    await timers.pass(50);
    expect(batches).toEqual([[1, 2]]);
    expect(told).toEqual([1, 2]);
  });

  it('writes one batch at a time, and what comes meanwhile goes into the next', async () => {
    const { queue, timers, batches, disk } = started();
    const gate = deferred<void>();
    disk.hold = gate.promise;
    queue.add(1);
    await timers.pass(50);
    queue.add(2);
    await timers.pass(500);
    expect(batches).toEqual([]);
    gate.resolve();
    await settle();
    expect(batches).toEqual([[1]]);
    await timers.pass(50);
    expect(batches).toEqual([[1], [2]]);
  });

  it('does not let a flush end before what was added to it is written, though a write is under way', async () => {
    const { queue, timers, batches, disk } = started();
    const gate = deferred<void>();
    disk.hold = gate.promise;
    queue.add(1);
    await timers.pass(50);
    queue.add(2);
    const flushed = queue.flush().then(() => [...batches]);
    gate.resolve();
    expect(await flushed).toEqual([[1], [2]]);
  });

  it('opens a new window for what came while a write was failing', async () => {
    const { queue, timers, batches, disk } = started();
    const gate = deferred<void>();
    disk.hold = gate.promise;
    disk.failure = new Error('broken');
    queue.add(1);
    await timers.pass(50);
    queue.add(2);
    gate.resolve();
    await settle();
    delete disk.failure;
    await timers.pass(50);
    expect(batches).toEqual([[1, 2]]);
  });

  it('survives a listener that flushes while it is being told', async () => {
    const timers = new FakeTimers();
    const batches: number[][] = [];
    const inner: Promise<void>[] = [];
    const queue: WriteBehind<number> = new WriteBehind<number>({
      timers,
      write: async (batch) => void batches.push([...batch]),
      onWritten: ([event = 0]) => {
        if (event > 3) return;
        queue.add(event + 1);
        inner.push(queue.flush());
      },
      onTrouble: () => undefined,
    });
    queue.begin();
    queue.add(1);
    await queue.flush();
    for (const flush of inner) await flush;
    expect(batches).toEqual([[1], [2], [3], [4]]);
    expect(timers.waiting).toBe(0);
  });

  it('writes nothing before it is begun, then everything in one batch', async () => {
    const timers = new FakeTimers();
    const batches: number[][] = [];
    const queue = new WriteBehind<number>({
      timers,
      write: async (batch) => void batches.push([...batch]),
      onWritten: () => undefined,
      onTrouble: () => undefined,
    });
    queue.add(1);
    await timers.pass(1000);
    await expect(queue.flush()).rejects.toThrow('before the announcement');
    queue.begin();
    queue.add(2);
    await timers.pass(50);
    expect(batches).toEqual([[1, 2]]);
  });

  it('stores each item once and in order, whatever fails in between', async () => {
    const action = fc.oneof(fc.constantFrom('add', 'flush', 'break', 'repair'), fc.nat(80));
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { queue, timers, batches, told, disk } = started();
        let next = 0;
        for (const one of actions) {
          if (typeof one === 'number') await timers.pass(one);
          else if (one === 'add') queue.add(next++);
          else if (one === 'flush') await queue.flush().catch(() => undefined);
          else if (one === 'break') disk.failure = new Error('broken');
          else delete disk.failure;
        }
        delete disk.failure;
        await queue.flush();
        expect(batches.flat()).toEqual(Array.from({ length: next }, (_, item) => item));
        expect(told).toEqual(batches.flat());
      }),
    );
  });
});
