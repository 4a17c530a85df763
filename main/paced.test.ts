import { expect, it } from 'vitest';
import type { CallId, SessionId } from '../app/base/id.ts';
import { utf8Bytes } from '../app/base/text.ts';
import type { Push } from '../app/contract/pushes.ts';
import { FakeTimers } from '../app/session/session.fixture.ts';
import * as talk from '../app/session/talk.fixture.ts';
import { paced } from './paced.ts';
import { MemorySource } from './pushes.fixture.ts';

const A = 's_a' as SessionId;
const KIB = 1024;

function setUp() {
  const source = new MemorySource();
  const timers = new FakeTimers();
  const told: { readonly at: number; readonly push: Push }[] = [];
  const leave = paced(source, timers).onPush((push) => told.push({ at: timers.now, push }));
  const output = (callId: string, text: string, stream: 'stdout' | 'stderr' = 'stdout', sessionId = A) =>
    source.push({ push: 'output', data: { sessionId, callId: callId as CallId, stream, text } });
  /** What it was told, one word each. */
  const heard = () =>
    told.map(({ push }) => {
      if (push.push === 'output') return `${push.data.callId} ${push.data.text}`;
      return push.push === 'event' ? push.data.event.type : push.push;
    });
  return { source, timers, told, leave, output, heard };
}

it('50 MB that a call writes within a second are at most 20 pushes and 700 KB, and their end is the end', async () => {
  const { timers, told, output } = setUp();
  const line = `${'x'.repeat(999)}\n`;
  for (let ms = 0; ms < 1000; ms += 1) {
    for (let n = 0; n < 50; n += 1) output('c1', line);
    await timers.pass(1);
  }
  expect(told).toHaveLength(20);
  expect(told.reduce((sum, { push }) => sum + JSON.stringify(push).length, 0)).toBeLessThanOrEqual(700_000);
  const times = told.map(({ at }) => at);
  expect(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= 50)).toBe(true);
  output('c1', line.repeat(40));
  output('c1', 'the end');
  await timers.pass(50);
  const last = told.at(-1)?.push;
  expect(last?.push === 'output' && last.data.text.slice(-9)).toBe('x\nthe end');
});

it('what a call writes within 50 ms is one push, with every character of it', async () => {
  const { timers, heard, output } = setUp();
  for (const text of ['a', 'ü', '😀', 'b']) output('c1', text);
  expect(heard()).toEqual([]);
  await timers.pass(50);
  expect(heard()).toEqual(['c1 aü😀b']);
  await timers.pass(1000);
  expect(heard()).toHaveLength(1);
});

it('of more than 32 KiB the end is told, and no character is cut in two', async () => {
  const { timers, told, output } = setUp();
  for (let n = 0; n < 200; n += 1) output('c1', '漢😀'.repeat(300));
  await timers.pass(50);
  const [push] = told.map((each) => each.push);
  const text = push?.push === 'output' ? push.data.text : '';
  expect(utf8Bytes(text)).toBeLessThanOrEqual(32 * KIB);
  expect(utf8Bytes(text)).toBeGreaterThan(32 * KIB - 4);
  expect([text.isWellFormed(), text.includes('\ufffd'), text.endsWith('漢😀')]).toEqual([true, false, true]);
});

it('calls, Sessions and streams are told apart, and none waits for another', async () => {
  const { timers, told, output } = setUp();
  output('c1', 'out');
  output('c1', 'err', 'stderr');
  output('c2', 'two');
  output('c1', 'other', 'stdout', 's_b' as SessionId);
  output('c1', 'put');
  await timers.pass(100);
  const shown = told.map(({ at, push }) => push.push === 'output' && { ...push.data, at });
  expect(shown).toEqual([
    { at: 50, sessionId: A, callId: 'c1', stream: 'stdout', text: 'output' },
    { at: 50, sessionId: A, callId: 'c2', stream: 'stdout', text: 'two' },
    { at: 50, sessionId: 's_b', callId: 'c1', stream: 'stdout', text: 'other' },
    { at: 100, sessionId: A, callId: 'c1', stream: 'stderr', text: 'err' },
  ]);
});

it('what a call still owes goes before its result, and before no other event', async () => {
  const { source, timers, heard, output } = setUp();
  output('c1', 'one');
  output('c1:1', 'nested');
  output('c2', 'two');
  output('c1', 'err', 'stderr');
  source.commit(A, talk.call('c3'));
  const [callId, rootCallId] = ['c1:1' as CallId, 'c1' as CallId];
  const nested = { callId, rootCallId, parentCallId: rootCallId, tool: 'bash', status: 'ok', content: '' } as const;
  source.commit(A, { type: 'tool/nested-result', data: nested });
  source.commit(A, talk.result('c1'));
  expect(heard()).toEqual(['tool/call', 'c1:1 nested', 'tool/nested-result', 'c1 one', 'c1 err', 'tool/result']);
  await timers.pass(50);
  expect(heard().slice(6)).toEqual(['c2 two']);
  expect(timers.waiting).toBe(0);
});

it('everything but output passes at once and in order', () => {
  const { source, heard, output } = setUp();
  output('c1', 'held');
  source.notice('one');
  source.chunk(A);
  source.push({ push: 'session', data: { sessionId: A, removed: true } });
  source.notice('two');
  expect(heard()).toEqual(['notice', 'assistant/chunk', 'session', 'notice']);
});

it('events are read from the same place, and who has left is told nothing more', async () => {
  const { source, timers, leave, heard, output } = setUp();
  source.chunk(A);
  expect(await paced(source, timers).readEvents(A, 0, 5)).toHaveLength(1);
  output('c1', 'held');
  leave();
  source.notice('later');
  await timers.pass(100);
  expect(heard()).toEqual(['assistant/chunk']);
  expect([source.listeners, timers.waiting]).toEqual([0, 0]);
});
