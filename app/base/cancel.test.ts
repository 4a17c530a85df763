import { expect, it } from 'vitest';
import { Cancelled, causeOf, orAborted } from './cancel.ts';
import { deferred } from './deferred.ts';

const STOP = new Cancelled({ kind: 'stopped', by: 'parent' });

it('is the work when that comes first, and the reason of the signal when that does', async () => {
  const controller = new AbortController();
  expect(await orAborted(Promise.resolve('done'), controller.signal)).toBe('done');
  const waiting = orAborted(deferred<string>().promise, controller.signal);
  controller.abort(STOP);
  await expect(waiting).rejects.toBe(STOP);
  await expect(orAborted(Promise.resolve('late'), controller.signal)).rejects.toBe(STOP);
});

it('takes a foreign reason for a stop', () => {
  expect(causeOf(AbortSignal.abort(STOP))).toEqual({ kind: 'stopped', by: 'parent' });
  expect(causeOf(AbortSignal.abort('foreign'))).toEqual({ kind: 'stopped', by: 'person' });
});
