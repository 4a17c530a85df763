import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import type { Push } from '../app/contract/pushes.ts';
import { DoorPushes } from './pushes.ts';
import { MemorySource } from './pushes.fixture.ts';

const A = 's_a' as SessionId;
const B = 's_b' as SessionId;

/** A client that takes one push at a time, when it is allowed to. */
function setUp(options: { bound?: number } = {}) {
  const source = new MemorySource();
  const taken: Push[] = [];
  const faults: unknown[] = [];
  let open = Promise.withResolvers<void>();
  open.resolve();
  const deliver = async (json: string) => {
    await open.promise;
    taken.push(JSON.parse(json) as Push);
  };
  const pushes = new DoorPushes({ source, deliver, onFault: (fault) => void faults.push(fault), ...options });
  return {
    source,
    pushes,
    taken,
    faults,
    block: () => void (open = Promise.withResolvers()),
    unblock: () => open.resolve(),
    seqs: (id = A) =>
      taken.flatMap((push) => (push.push === 'event' && push.data.sessionId === id ? [push.data.event.seq] : [])),
    kinds: () => taken.map((push) => push.push),
    notices: () => taken.flatMap((push) => (push.push === 'notice' ? [push.data.code] : [])),
  };
}
const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => from + at);

describe('the Sessions a door follows', () => {
  it('are told from the first event on, also events that were durable before it followed', async () => {
    const { source, pushes, seqs } = setUp();
    for (let n = 0; n < 40; n += 1) source.chunk(A);
    pushes.follow(A, 0);
    source.chunk(A);
    await pushes.settled();
    source.chunk(A);
    await pushes.settled();
    expect(seqs()).toEqual(upTo(42));
  });

  it('are told from where an opening ended, each event once, however often it is opened', async () => {
    const { source, pushes, seqs } = setUp();
    for (let n = 0; n < 5; n += 1) source.chunk(A);
    pushes.follow(A, 5);
    source.chunk(A);
    await pushes.settled();
    pushes.follow(A, 0);
    source.chunk(A);
    await pushes.settled();
    expect(seqs()).toEqual([5, 6]);
  });

  it.each(['before', 'after'] as const)(
    'are told an event once when it becomes durable while the store is being read, %s it was looked at',
    async (side) => {
      const { source, pushes, seqs, notices } = setUp();
      const gate = Promise.withResolvers<void>();
      source.gates[side] = gate.promise;
      pushes.follow(A, 0);
      for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
      source.chunk(A);
      source.chunk(A);
      gate.resolve();
      await pushes.settled();
      expect(seqs()).toEqual([0, 1]);
      expect(notices()).toEqual([]);
    },
  );

  it('are the only ones whose events it is told; everything else it is told of all', async () => {
    const { source, pushes, seqs, kinds } = setUp();
    pushes.follow(A, 0);
    source.chunk(B);
    source.output(B, 'out');
    source.notice('n');
    source.chunk(A);
    await pushes.settled();
    expect(seqs(B)).toEqual([]);
    expect(kinds()).toEqual(['output', 'notice', 'event']);
  });

  it('include children from their first live event on, known by the row or by the delegation', async () => {
    const { source, pushes, seqs } = setUp();
    const C = 's_c' as SessionId;
    pushes.follow(A, 0);
    const row = { sessionId: B, parent: A, title: '', workspace: '/', state: 'idle', preset: '', updated: 0 } as const;
    source.chunk(B); // Inherited, before the child is announced: its seed is never told.
    source.push({ push: 'session', data: { row } });
    source.chunk(B);
    source.commit(B, {
      type: 'session/delegated',
      data: { callId: 'c1' as never, childId: C, title: 'grandchild', background: false },
    });
    source.chunk(C);
    source.chunk(C);
    await pushes.settled();
    expect(seqs(B)).toEqual([1, 2]);
    expect(seqs(C)).toEqual([0, 1]);
  });

  it('include a child that is delegated to while the parent is behind', async () => {
    const { source, pushes, seqs } = setUp();
    pushes.follow(A, 0);
    source.commit(A, {
      type: 'session/delegated',
      data: { callId: 'c1' as never, childId: B, title: 'child', background: true },
    });
    source.chunk(B);
    await pushes.settled();
    expect(seqs(B)).toEqual([0]);
  });

  it('are forgotten when they are removed', async () => {
    const { source, pushes, seqs } = setUp();
    pushes.follow(A, 0);
    await pushes.settled();
    source.push({ push: 'session', data: { sessionId: A, removed: true } });
    source.chunk(A);
    await pushes.settled();
    expect(seqs()).toEqual([]);
  });
});

describe('a slow door', () => {
  it('holds a bounded number of bytes and is told every event in order once it reads', async () => {
    const { source, pushes, seqs, block, unblock } = setUp({ bound: 64 * 1024 });
    pushes.follow(A, 0);
    pushes.follow(B, 0);
    await pushes.settled();
    block();
    const text = 'x'.repeat(1000);
    for (let n = 0; n < 2_000; n += 1) {
      source.chunk(A, text);
      source.chunk(B, text);
    }
    expect(pushes.waitingBytes).toBeLessThanOrEqual(64 * 1024);
    unblock();
    await pushes.settled();
    expect(seqs(A)).toEqual(upTo(2_000));
    expect(seqs(B)).toEqual(upTo(2_000));
  });

  it('is told in order when it stops and goes on again and again while events come', async () => {
    const { source, pushes, seqs, block, unblock } = setUp({ bound: 2_000 });
    pushes.follow(A, 0);
    for (let round = 0; round < 50; round += 1) {
      block();
      for (let n = 0; n < round; n += 1) source.chunk(A, 'x'.repeat(50));
      unblock();
      for (let tick = 0; tick < round % 7; tick += 1) await Promise.resolve();
    }
    await pushes.settled();
    expect(seqs()).toEqual(upTo((50 * 49) / 2));
  });

  it('loses output first, and keeps events, approvals and notices', async () => {
    const { source, pushes, seqs, kinds, notices, block, unblock } = setUp({ bound: 2_000 });
    pushes.follow(A, 0);
    await pushes.settled();
    block();
    for (let n = 0; n < 100; n += 1) source.output(A, 'y'.repeat(100));
    for (let n = 0; n < 10; n += 1) source.chunk(A);
    source.notice('n');
    unblock();
    await pushes.settled();
    expect(seqs()).toEqual(upTo(10));
    expect(notices()).toEqual(['test']);
    expect(kinds().filter((kind) => kind === 'output').length).toBeLessThan(10);
  });

  it('is told that pushes were lost when even state no longer fits', async () => {
    const { source, pushes, notices, block, unblock } = setUp({ bound: 1_000 });
    block();
    for (let n = 0; n < 100; n += 1) source.notice(`n${n}`);
    expect(pushes.waitingBytes).toBeLessThanOrEqual(2_000);
    unblock();
    await pushes.settled();
    expect(notices().at(-1)).toBe('pushes-lost');
    expect(notices().length).toBeLessThan(50);
  });

  it('is told of an unreadable log, and gets what it missed with the next event', async () => {
    const { source, pushes, seqs, notices, faults } = setUp();
    for (let n = 0; n < 3; n += 1) source.chunk(A);
    source.readFault = new Error('disk');
    pushes.follow(A, 0);
    source.chunk(A);
    await pushes.settled();
    expect(notices()).toEqual(['storage']);
    expect(faults).toEqual([source.readFault]);
    source.readFault = undefined;
    source.chunk(A);
    await pushes.settled();
    expect(seqs()).toEqual(upTo(5));
  });
});

it('whatever the order of commits, reads, stops and floods, each event is told once, in order', async () => {
  const step = fc.constantFrom('commit', 'commit', 'output', 'follow', 'block', 'unblock', 'slow read', 'read', 'tick');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { source, pushes, seqs, notices, block, unblock } = setUp({ bound: 400 });
      let read = Promise.withResolvers<void>();
      let committed = 0;
      const act = {
        commit: () => (source.chunk(A), (committed += 1)),
        output: () => source.output(A, 'y'.repeat(100)),
        follow: () => pushes.follow(A, 0),
        block: () => (unblock(), block()),
        unblock,
        'slow read': () => (read.resolve(), (read = Promise.withResolvers()), (source.gates.after = read.promise)),
        read: () => read.resolve(),
        tick: () => undefined,
      };
      for (const name of steps) {
        void act[name]();
        await Promise.resolve();
      }
      pushes.follow(A, 0);
      unblock();
      read.resolve();
      await pushes.settled();
      expect(seqs()).toEqual(upTo(committed));
      expect(notices()).toEqual([]);
      pushes.close();
    }),
    { numRuns: 500 },
  );
});

it('a closed door listens no longer and delivers nothing that waited', async () => {
  const { source, pushes, taken, block, unblock } = setUp();
  block();
  pushes.follow(A, 0);
  source.chunk(A);
  source.notice('in delivery');
  source.notice('waiting');
  pushes.close();
  source.chunk(A);
  unblock();
  await pushes.settled();
  expect(source.listeners).toBe(0);
  expect(taken).toEqual([]);
});
