import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import { deferred } from '../base/deferred.ts';
import type { CallId } from '../base/id.ts';
import { settled } from '../base/waiting.fixture.ts';
import { MAX_OVERLAP } from '../tool/lane.ts';
import type { Result } from '../tool/result.ts';
import { Bridge, MAX_PENDING, type NestedCall } from './bridge.ts';

describe('Bridge', () => {
  it('PTC-12: replies to a failing tool with its name and message, and goes on', async () => {
    const { bridge, results } = setUp();
    results.set('p:1', { status: 'refused', code: 'denied', content: 'Denied by read-only' });
    expect(await bridge.call('write', {})).toEqual({
      ok: false,
      tool: 'write',
      code: 'denied',
      message: 'Denied by read-only',
    });
    results.set('p:2', { status: 'ok', content: 'text', value: { n: 1 } });
    expect(await bridge.call('look', {})).toEqual({ ok: true, value: { n: 1 } });
  });

  it('rejects exactly when the status is not ok', async () => {
    const { bridge, results } = setUp();
    const replies: boolean[] = [];
    for (const [at, status] of (['ok', 'refused', 'failed', 'cancelled', 'unknown'] as const).entries()) {
      results.set(`p:${at + 1}`, { status, content: '' });
      replies.push((await bridge.call('look', {})).ok);
    }
    expect(replies).toEqual([true, false, false, false, false]);
  });

  it('PTC-13: overlaps reading calls up to the cap, and runs a writing call in between alone, in submission order', async () => {
    const { bridge, running, end, seen } = setUp({ held: true });
    const reads = Array.from({ length: MAX_OVERLAP + 1 }, () => bridge.call('look', {}));
    const write = bridge.call('write', {});
    const after = bridge.call('look', {});
    await settled();
    expect(running()).toEqual(Array.from({ length: MAX_OVERLAP }, (_, at) => `p:${at + 1}`));
    end('p:5');
    await settled();
    expect(running()).toContain('p:11');
    expect(running()).not.toContain('p:12');
    for (let at = 1; at <= 11; at += 1) end(`p:${at}`);
    await settled();
    expect(running()).toEqual(['p:12']);
    end('p:12');
    await settled();
    expect(running()).toEqual(['p:13']);
    end('p:13');
    await Promise.all([...reads, write, after]);
    expect(seen).toEqual(Array.from({ length: 13 }, (_, at) => `p:${at + 1}`));
  });

  it('abandons what waits and drains what runs when the program ends, and starts nothing after that', async () => {
    const { bridge, running, end, seen } = setUp({ held: true });
    const [writing, waiting] = [bridge.call('write', {}), bridge.call('write', {})];
    await settled();
    let isOver = false;
    const ending = bridge.end().then(() => (isOver = true));
    await settled();
    expect([isOver, running()]).toEqual([false, ['p:1']]);
    expect(await bridge.call('look', {})).toMatchObject({ ok: false, code: 'stopped' });

    end('p:1');
    await ending;
    expect(await writing).toMatchObject({ ok: true });
    expect(await waiting).toMatchObject({ ok: false, code: 'stopped' });
    expect(seen).toEqual(['p:1']);
  });

  it('cancels what runs with the cause that the program ended for', async () => {
    const { bridge, signals } = setUp({ held: true, obeys: true });
    const writing = bridge.call('write', {});
    await settled();
    const cause = new Cancelled({ kind: 'mode-changed', seq: 7 });
    await bridge.end(cause);
    expect(signals[0]?.reason).toBe(cause);
    expect(await writing).toMatchObject({ ok: false, code: 'mode-changed' });
  });

  it('refuses more calls than may wait, and takes them again when fewer do', async () => {
    const { bridge, end } = setUp({ held: true });
    const flood = Array.from({ length: MAX_PENDING }, () => bridge.call('write', {}));
    expect(await bridge.call('write', {})).toMatchObject({ ok: false, tool: 'write', code: 'unavailable' });
    await settled();
    end('p:1');
    await flood[0];
    const late = bridge.call('look', {});
    end('p:2');
    await bridge.end();
    expect(await late).toMatchObject({ code: 'stopped' });
    await Promise.all(flood);
  });

  it('8-e: does not know what programs may not call', async () => {
    const { bridge, seen } = setUp();
    for (const tool of ['run_code', 'constructor', '__proto__', 'delegate']) {
      expect(await bridge.call(tool, {})).toMatchObject({ ok: false, tool, code: 'unknown-tool' });
    }
    expect(seen).toEqual([]);
  });

  it('goes on after a call whose dispatch rejected', async () => {
    const { bridge, results } = setUp();
    results.set('p:1', new Error('The log is closed'));
    await expect(bridge.call('write', {})).rejects.toThrow('The log is closed');
    expect(await bridge.call('write', {})).toMatchObject({ ok: true });
    await bridge.end();
  });

  it('hands live output on', () => {
    const { bridge, output } = setUp();
    bridge.log('stderr', 'told');
    expect(output).toEqual(['stderr told']);
  });
});

type Said = Pick<Result, 'status' | 'code' | 'content' | 'value'>;

function setUp({ held = false, obeys = false } = {}) {
  const results = new Map<string, Said | Error>();
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const [seen, output]: [string[], string[]] = [[], []];
  const signals: AbortSignal[] = [];
  const dispatch = async ({ callId, tool }: NestedCall, signal: AbortSignal): Promise<Result> => {
    seen.push(callId);
    signals.push(signal);
    const end = deferred<void>() as PromiseWithResolvers<void>;
    ends.set(callId, end);
    if (obeys) signal.addEventListener('abort', () => end.resolve(), { once: true });
    if (held) await end.promise;
    ends.delete(callId);
    if (signal.aborted && obeys) return { callId, tool, status: 'cancelled', code: 'mode-changed', content: '' };
    const said = results.get(callId) ?? { status: 'ok', content: '' };
    if (said instanceof Error) throw said;
    return { callId, tool, ...said };
  };
  const bridge = new Bridge({
    callId: 'p' as CallId,
    tools: ['look', 'write'],
    effectOf: (tool) => (tool === 'write' ? 'write' : 'read'),
    dispatch,
    output: (stream, text) => void output.push(`${stream} ${text}`),
  });
  const end = (callId: string) => ends.get(callId)?.resolve();
  return { bridge, results, end, seen, signals, output, running: () => [...ends.keys()] };
}
