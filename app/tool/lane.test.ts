import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deferred } from '../base/deferred.ts';
import { settled } from '../base/waiting.fixture.ts';
import type { Effect } from './events.ts';
import { Lane, MAX_OVERLAP } from './lane.ts';

function gate(lane: Lane, effect: Effect, log: string[], name: string) {
  const end = deferred<string>();
  const outcome = lane.submit(effect, () => {
    log.push(`${name} starts`);
    return end.promise;
  });
  return { end: () => end.resolve(name), outcome };
}

it('lets reading calls overlap and runs a writing call alone, in the order of submission', async () => {
  const lane = new Lane();
  const log: string[] = [];
  const [a, b, w, c] = [
    gate(lane, 'read', log, 'a'),
    gate(lane, 'read', log, 'b'),
    gate(lane, 'write', log, 'w'),
    gate(lane, 'read', log, 'c'),
  ] as const;
  await settled();
  expect(log).toEqual(['a starts', 'b starts']);
  b.end();
  a.end();
  await settled();
  expect(log).toEqual(['a starts', 'b starts', 'w starts']);
  w.end();
  await settled();
  expect(log.at(-1)).toBe('c starts');
  c.end();
  expect(await Promise.all([a.outcome, b.outcome, w.outcome, c.outcome])).toEqual(['a', 'b', 'w', 'c']);
});

it('settles outcomes in the order of submission, even when a later call ends first', async () => {
  const lane = new Lane();
  const order: string[] = [];
  const first = gate(lane, 'read', [], 'first');
  const second = gate(lane, 'read', [], 'second');
  void first.outcome.then((name) => order.push(name));
  void second.outcome.then((name) => order.push(name));
  await settled();
  second.end();
  await settled();
  expect(order).toEqual([]);
  first.end();
  await settled();
  expect(order).toEqual(['first', 'second']);
});

it('goes on after a call that throws', async () => {
  const lane = new Lane();
  const broken = lane.submit('write', () => Promise.reject(new Error('broken')));
  const next = lane.submit('write', () => Promise.resolve('next'));
  await expect(broken).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

it('starts no more than ten reading calls at once', async () => {
  const lane = new Lane();
  const log: string[] = [];
  const calls = Array.from({ length: MAX_OVERLAP + 1 }, (_, index) => gate(lane, 'read', log, String(index)));
  await settled();
  expect(log).toHaveLength(MAX_OVERLAP);
  calls[3]?.end();
  await settled();
  expect(log).toHaveLength(MAX_OVERLAP + 1);
  for (const call of calls) call.end();
  await Promise.all(calls.map((call) => call.outcome));
});

it('starts and settles in the order of submission, never beside a writing call, whatever ends when', async () => {
  const effects = fc.array(fc.constantFrom<Effect>('read', 'write', 'manage'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(effects, fc.array(fc.nat(), { maxLength: 30 }), fc.boolean(), async (calls, picks, late) => {
      const lane = new Lane();
      const running: number[] = [];
      const besides: Effect[][] = [];
      const [started, ended]: [number[], number[]] = [[], []];
      const ends = calls.map(() => deferred<void>());
      const submit = (at: number) =>
        lane
          .submit(calls[at] ?? 'read', async () => {
            started.push(at);
            running.push(at);
            besides.push(running.map((each) => calls[each] ?? 'read'));
            await ends[at]?.promise;
            running.splice(running.indexOf(at), 1);
            if (at % 5 === 4) throw new Error('this one fails');
          })
          .catch(() => undefined)
          .then(() => ended.push(at));
      const all: Promise<unknown>[] = [];
      for (const at of calls.keys()) {
        all.push(submit(at));
        if (late) await settled();
      }
      for (const pick of picks) {
        await settled();
        const at = running[pick % Math.max(1, running.length)];
        if (at !== undefined) ends[at]?.resolve();
      }
      for (const end of ends) end.resolve();
      await Promise.all(all);
      expect(besides.filter((beside) => beside.length > (beside.includes('write') ? 1 : MAX_OVERLAP))).toEqual([]);
      expect(started).toEqual([...calls.keys()]);
      expect(ended).toEqual([...calls.keys()]);
    }),
    { numRuns: 100 },
  );
});
