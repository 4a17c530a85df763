import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import { countedSignal, settled } from '../base/waiting.fixture.ts';
import { Barriers } from './barriers.ts';

const STOP = new Cancelled({ kind: 'stopped', by: 'person' });

describe('Barriers', () => {
  it('are sticky: one that was named early is open, for everybody and for good', async () => {
    const barriers = new Barriers();
    barriers.release('go');
    const { signal, listeners } = countedSignal();
    await barriers.wait('go', signal);
    await barriers.wait('go', signal);
    expect(listeners()).toBe(0);
  });

  it('let all go that wait for the name, and nobody who waits for another', async () => {
    const barriers = new Barriers();
    const { signal, abort, listeners } = countedSignal();
    const gone: string[] = [];
    const waiting = ['go', 'go', 'stay'].map((name) => barriers.wait(name, signal).then(() => gone.push(name)));
    await settled();
    expect(listeners()).toBe(3);
    barriers.release('go');
    await Promise.all(waiting.slice(0, 2));
    expect([gone, listeners()]).toEqual([['go', 'go'], 1]);
    abort(STOP);
    await expect(waiting[2]).rejects.toBe(STOP);
    expect(listeners()).toBe(0);
  });

  it('reject with the reason of a signal that was aborted before, even when they are open', async () => {
    const barriers = new Barriers();
    barriers.release('go');
    await expect(barriers.wait('go', AbortSignal.abort(STOP))).rejects.toBe(STOP);
  });

  it('can be waited for again after a wait that was called off', async () => {
    const barriers = new Barriers();
    const first = countedSignal();
    const waiting = barriers.wait('go', first.signal);
    first.abort(STOP);
    await expect(waiting).rejects.toBe(STOP);
    const again = barriers.wait('go', new AbortController().signal);
    barriers.release('go');
    await expect(again).resolves.toBeUndefined();
  });
});
