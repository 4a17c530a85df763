import { describe, expect, it } from 'vitest';
import type { CleanupId, SessionId } from '../base/id.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { Closed, EndPhase } from '../sandbox/provider.ts';
import type { PolicyEvent } from '../policy/events.ts';
import type { Cleanup, CleanupEvent, StartedItem } from './cleanup.ts';
import { Cleanups } from './cleanups.ts';
import type { CloseAttempt } from './ending.ts';
import { Started } from './started.ts';

const GONE: Closed = { ok: true, exit: { exitCode: null, signal: 'SIGKILL' } };

/** Work of ending begins in the microtask after the commit that caused it. */
const setterHasReturned = () => Promise.resolve();

describe('Cleanups', () => {
  it('holds the cleanup visible, phase by phase, until the ending is confirmed', async () => {
    const { cleanups, subject, seen, begin } = setUp();
    const held = heldClose();

    const ending = begin(held.close);
    expect(cleanups.list('s_1' as SessionId)).toMatchObject([{ phase: 'asked', attempts: 1, pid: 7, since: 100 }]);
    await setterHasReturned();
    held.phase('terminating');
    held.phase('killing');
    expect(ending.current().phase).toBe('killing');
    expect(subject.journal.types()).toEqual(['cleanup/asked']);
    held.outcome.resolve(GONE);

    expect(await ending.settled()).toMatchObject({ phase: 'released', cause: { kind: 'mode', seq: 3 } });
    expect(seen.map((cleanup) => cleanup.phase)).toEqual(['asked', 'terminating', 'killing', 'released']);
    expect(subject.journal.events.at(-1)).toMatchObject({
      type: 'cleanup/ended',
      data: { phase: 'released', attempts: 1 },
    });
  });

  it('keeps a failed attempt beside the phase it got to, and releases on retry', async () => {
    const { cleanups, subject, seen, begin } = setUp();
    const outcomes: Closed[] = [{ ok: false, phase: 'killing', error: 'still alive' }, GONE];

    const ending = begin(async () => outcomes.shift() ?? GONE);
    expect(await ending.settled()).toMatchObject({ phase: 'killing', failed: { error: 'still alive' }, attempts: 1 });
    const retried = await cleanups.retry(ending.id);

    expect(retried).toMatchObject({ phase: 'released', attempts: 2 });
    expect(retried).not.toHaveProperty('failed');
    expect(seen.map(({ phase, attempts, failed }) => [phase, attempts, failed?.error])).toEqual([
      ['asked', 1, undefined],
      ['killing', 1, 'still alive'],
      ['asked', 2, undefined],
      ['released', 2, undefined],
    ]);
    expect(subject.journal.events.map((event) => event.data)).toMatchObject([
      { what: 'environment', id: 'e_1', pid: 7, mode: 'workspace-write' },
      { phase: 'killing', attempts: 1, failed: { error: 'still alive' } },
      { phase: 'released', attempts: 2 },
    ]);
  });

  it('counts a close attempt that throws, at once or later, as a failed attempt', async () => {
    const { begin } = setUp();
    const attempts: CloseAttempt[] = [
      () => {
        throw new Error('no such handle');
      },
      async (onPhase) => {
        onPhase('terminating');
        throw new Error('lost it');
      },
      async () => GONE,
    ];
    const ending = begin((onPhase) => (attempts.shift() ?? heldClose().close)(onPhase));

    expect(await ending.settled()).toMatchObject({ phase: 'asked', failed: { error: 'no such handle' } });
    expect(await ending.retry()).toMatchObject({ phase: 'terminating', failed: { error: 'lost it' }, attempts: 2 });
    expect(await ending.retry()).toMatchObject({ phase: 'released', attempts: 3 });
  });

  it('makes two retries at once one attempt, and a retry of a released one none', async () => {
    const { cleanups, begin } = setUp();
    const held = heldClose();
    const ending = begin(held.close);

    const [one, two] = [cleanups.retry(ending.id), cleanups.retry(ending.id)];
    held.outcome.resolve(GONE);
    expect(await one).toBe(await two);
    expect(await cleanups.retry(ending.id)).toMatchObject({ phase: 'released', attempts: 1 });
    expect(held.calls()).toBe(1);
  });

  it('gives a listener that retries during the announcement the attempt that begins', async () => {
    const { cleanups, begin } = setUp();
    const held = heldClose();
    cleanups.observe((cleanup) => void cleanups.retry(cleanup.cleanupId));

    const ending = begin(held.close);
    held.outcome.resolve(GONE);
    expect(await ending.settled()).toMatchObject({ phase: 'released', attempts: 1 });
    expect(held.calls()).toBe(1);
  });

  it('knows no cleanup of an unknown id', () => {
    expect(setUp().cleanups.retry('k_99' as CleanupId)).toBeUndefined();
  });

  it('is listed at once inside an observer, and ends and records after the section', async () => {
    const { cleanups, subject, begin } = setUp();
    const held = heldClose();
    const inside: number[] = [];
    subject.journal.observe((event) => {
      if (event.type !== 'sandbox/mode') return;
      begin(held.close, event.seq);
      inside.push(cleanups.list().length, held.calls());
    });

    subject.journal.section(() => {
      subject.journal.append({ type: 'permission/preset', data: { preset: 'read-only' } });
      subject.journal.append({ type: 'sandbox/mode', data: { mode: 'read-only' } });
      subject.journal.append({ type: 'approval/policy', data: { policy: 'never' } });
    });

    expect(inside).toEqual([1, 0]);
    expect(held.calls()).toBe(0);
    await setterHasReturned();
    expect(held.calls()).toBe(1);
    expect(subject.journal.types()).toEqual(['permission/preset', 'sandbox/mode', 'approval/policy', 'cleanup/asked']);
    expect(subject.journal.events.at(-1)?.data).toMatchObject({ cause: { kind: 'mode', seq: 1 } });
    expect(subject.journal.faults).toEqual([]);
    held.outcome.resolve(GONE);
  });

  it('ends and tells all the same when the Session takes no more events or a listener throws', async () => {
    const { cleanups, subject, seen, faults, begin } = setUp();
    cleanups.observe(() => {
      throw new Error('a broken window');
    });
    subject.journal.close();

    const ending = begin(async () => GONE);
    expect(await ending.settled()).toMatchObject({ phase: 'released' });
    expect(seen.map((cleanup) => cleanup.phase)).toEqual(['asked', 'released']);
    expect(faults).toHaveLength(4);
  });

  it('keeps one Cleanup for a thing that two causes end at once', async () => {
    const { cleanups, begin } = setUp();
    const held = heldClose();
    const first = begin(held.close, 3);
    const second = begin(held.close, 9);

    held.outcome.resolve(GONE);
    await second.settled();
    expect(second.id).toBe(first.id);
    expect(cleanups.list()).toMatchObject([{ cause: { kind: 'mode', seq: 3 }, attempts: 1 }]);
    expect(held.calls()).toBe(1);
  });

  it('hears no phase that goes backward, and none of an attempt that is over', async () => {
    const { seen, begin } = setUp();
    const callbacks: ((phase: EndPhase) => void)[] = [];
    const outcomes: Closed[] = [{ ok: false, phase: 'killing', error: 'alive' }, GONE];
    const ending = begin(async (onPhase) => {
      callbacks.push(onPhase);
      onPhase('killing');
      onPhase('terminating');
      onPhase('released');
      return outcomes.shift() ?? GONE;
    });
    await ending.settled();
    callbacks[0]?.('exited');
    await ending.retry();

    expect(seen.map((cleanup) => cleanup.phase)).toEqual([
      'asked',
      'killing',
      'killing',
      'asked',
      'killing',
      'released',
    ]);
  });

  it('forgets a Session only as far as its things are gone', async () => {
    const { cleanups, begin } = setUp();
    const outcomes: Closed[] = [GONE, { ok: false, phase: 'killing', error: 'alive' }, GONE];
    const close = async () => outcomes.shift() ?? GONE;
    await begin(close).settled();
    const failing = begin(close);
    await failing.settled();
    expect(cleanups.list('s_1' as SessionId)).toHaveLength(2);

    cleanups.forget('s_1' as SessionId);
    expect(cleanups.list()).toMatchObject([{ cleanupId: failing.id, failed: { error: 'alive' } }]);
    await cleanups.retry(failing.id);
    expect(cleanups.list()).toEqual([]);
  });
});

describe('Started', () => {
  it('says what a switch stops: live items admitted under another Mode that are not being ended', async () => {
    const { started, subject, cleanups } = setUp();
    const session = subject.id;
    const standing = item('e_1', { mode: 'workspace-write' });
    const escalated = item('e_2', { mode: 'read-only', standing: 'workspace-write' });
    const ending = item('e_3', { mode: 'workspace-write' });
    const same = item('e_4', { mode: 'read-only' });
    const removes = [standing, escalated, ending, same].map((each) => started.add(session, each));
    const held = heldClose();
    const cleanup = cleanups.begin(subject, ending, { kind: 'stop' }, held.close);

    expect(started.stoppedBy(session, 'read-only')).toEqual([standing, escalated]);
    expect(started.stoppedBy('s_2' as SessionId, 'read-only')).toEqual([]);
    expect(started.list(session)).toHaveLength(4);
    for (const remove of removes) remove();
    expect(started.list(session)).toEqual([]);
    held.outcome.resolve(GONE);
    await cleanup.settled();
  });

  it('removes exactly the item it was given, once', () => {
    const { started, subject } = setUp();
    const remove = started.add(subject.id, item('e_1'));
    started.add(subject.id, item('e_1'));
    remove();
    remove();
    expect(started.list(subject.id)).toHaveLength(1);
  });
});

function setUp() {
  const faults: unknown[] = [];
  const seen: Cleanup[] = [];
  const started = new Started();
  let made = 0;
  const cleanups = new Cleanups({
    newId: () => `k_${(made += 1)}` as CleanupId,
    now: () => 100,
    started,
    onFault: (fault) => void faults.push(fault),
  });
  cleanups.observe((cleanup) => void seen.push(cleanup));
  const subject = { id: 's_1' as SessionId, journal: new MemoryJournal<CleanupEvent | PolicyEvent>() };
  const begin = (close: CloseAttempt, seq = 3) => cleanups.begin(subject, item('e_1'), { kind: 'mode', seq }, close);
  return { cleanups, started, subject, seen, faults, begin };
}

function item(id: string, part: Partial<StartedItem> = {}): StartedItem {
  const process = { pid: 7, startTime: '100' };
  return { what: 'environment', id, title: 'count', mode: 'workspace-write', process, ...part };
}

/** A close attempt that waits for the test. */
function heldClose() {
  const outcome: Deferred<Closed> = deferred<Closed>();
  const callbacks: ((phase: EndPhase) => void)[] = [];
  return {
    outcome,
    close: (onPhase: (phase: EndPhase) => void) => {
      callbacks.push(onPhase);
      return outcome.promise;
    },
    phase: (phase: EndPhase) => callbacks.at(-1)?.(phase),
    calls: () => callbacks.length,
  };
}
