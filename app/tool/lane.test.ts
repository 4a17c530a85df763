import { expect, it } from 'vitest';
import { deferred } from '../base/deferred.ts';
import { Lane, MAX_OVERLAP } from './lane.ts';

function gate(lane: Lane, effect: 'read' | 'write', log: string[], name: string) {
  const end = deferred<string>();
  const outcome = lane.submit(effect, () => {
    log.push(`${name} starts`);
    return end.promise;
  });
  return { end: () => end.resolve(name), outcome };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

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
