import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import type { SessionId } from '../base/id.ts';
import { settled } from '../base/waiting.fixture.ts';
import { Barriers } from './barriers.ts';
import type { Part } from './driver.ts';
import type { Answer } from './script.ts';
import { scriptedDriver } from './scripted.ts';

const LIVE = new AbortController().signal;
const CALL = { id: 'c1', tool: 'look', input: { path: 'a' } };

describe('the scripted driver', () => {
  it('gives one answer per request: its text in small parts, its calls, its end', async () => {
    const { next } = await start([{ text: `${'😀'.repeat(24)}!`, calls: [CALL] }, {}]);
    expect(await next()).toEqual([
      { kind: 'text', text: '😀'.repeat(24) },
      { kind: 'text', text: '!' },
      { kind: 'call', ...CALL },
      { kind: 'end', reason: 'answered' },
    ]);
    expect(await next()).toEqual([{ kind: 'end', reason: 'answered' }]);
  });

  it('is blocked when the list is used up, again and again', async () => {
    const { next } = await start([{}]);
    await next();
    expect(await next()).toMatchObject([{ kind: 'end', reason: 'blocked' }]);
    expect(await next()).toMatchObject([{ kind: 'end', reason: 'blocked' }]);
  });

  it('goes on behind the answers that the log has already', async () => {
    const { next } = await start([{ text: 'a' }, { text: 'b' }, { text: 'c' }], 1);
    expect(await next()).toMatchObject([{ text: 'b' }, {}]);
    expect(await next()).toMatchObject([{ text: 'c' }, {}]);
  });

  it('waits for its barrier, and gives the answer then', async () => {
    const { next, barriers } = await start([{ await: 'go', text: 'a' }]);
    let isGiven = false;
    const given = next().then((parts) => ((isGiven = true), parts));
    await settled();
    expect(isGiven).toBe(false);
    barriers.release('go');
    expect(await given).toMatchObject([{ text: 'a' }, {}]);
  });

  it('gives an answer again that a Stop cut off or kept waiting', async () => {
    const { next, run, barriers } = await start([{ await: 'go', text: 'x'.repeat(60) }]);
    const stop = new AbortController();
    const waiting = next(stop.signal);
    stop.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    await expect(waiting).rejects.toThrow('stopped');
    barriers.release('go');
    for await (const part of run.next(REQUEST, LIVE)) {
      expect(part).toMatchObject({ kind: 'text' });
      break;
    }
    expect(await next()).toHaveLength(4);
  });
});

const REQUEST = { turn: 1, step: 1, through: 0, history: async () => [] };

async function start(answers: readonly Answer[], answered = 0) {
  const barriers = new Barriers();
  const run = await scriptedDriver(answers, barriers).start({ id: 's_1' as SessionId, workspace: '/w', answered });
  const next = async (signal = LIVE): Promise<readonly Part[]> => {
    const parts: Part[] = [];
    for await (const part of run.next(REQUEST, signal)) parts.push(part);
    return parts;
  };
  return { run, barriers, next };
}
