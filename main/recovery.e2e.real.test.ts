import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PendingApproval } from '../app/approval/approvals.ts';
import type { SessionId } from '../app/base/id.ts';
import { ControlClient } from './controlClient.fixture.ts';
import { command, escalate, goneWithin, processesOf, program, type TestAnswer } from './core.fixture.ts';
import { signalTo } from './process/identity.ts';

let folder: string;
let workspace: string;
let home: string;
let control: ControlClient;
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-recovery-');
  [home, workspace] = [join(folder, 'home'), join(folder, 'repo')];
  await mkdir(workspace);
  control = new ControlClient(home);
});
afterEach(async () => {
  control.destroy();
  for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function begin(answers: readonly TestAnswer[]): Promise<SessionId> {
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify({ answers }));
  const { sessionId } = await control.request('session.create', { workspace, agent: `script:${script}` });
  await control.request('session.prompt', { sessionId, text: 'Go' });
  return sessionId;
}

const told = (type: string) =>
  control.until(() => control.pushes.some(({ push, data }) => push === 'event' && data.event.type === type));

/** Kills the main process and starts another over the same home. */
async function restart(): Promise<void> {
  await control.kill();
  expect(await goneWithin(folder, 5_000)).toEqual([]);
  control = new ControlClient(home);
}

async function reopen(sessionId: SessionId) {
  const { view } = await control.request('session.open', { sessionId });
  const { events } = await control.request('session.events', { sessionId, from: 0, to: 1000 });
  expect(await control.request('session.verify', { sessionId })).toMatchObject({ ok: true, problems: [] });
  return { view, events };
}

/** The stored lines without their hashes. */
async function stored(sessionId: SessionId): Promise<readonly string[]> {
  const text = await readFile(join(home, 'sessions', sessionId, 'session.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}'));
}

describe('after the main process was killed', () => {
  it('PER-1: a Session that was acknowledged is listed and stored, and one that was refused is neither', async () => {
    expect(await control.reply('session.create', { workspace, preset: 'none' })).toMatchObject({
      ok: false,
      code: 'unknown-preset',
    });
    expect((await control.request('session.list', {})).sessions).toEqual([]);
    expect(await readdir(join(home, 'sessions')).catch(() => [])).toEqual([]);
    const { sessionId } = await control.request('session.create', { workspace });
    await restart();
    expect((await control.request('session.list', {})).sessions.map((row) => row.sessionId)).toEqual([sessionId]);
    expect(await stored(sessionId)).toHaveLength(3);
  });

  it('PER-2: the events that were told are there to the byte, stream chunks included', async () => {
    const sessionId = await begin([
      { text: 'Words that come in small parts. '.repeat(10), calls: [command('a', 'echo ä😀')] },
      { await: 'never' },
    ]);
    await told('tool/result');
    const before = control.events;
    await restart();
    const lines = await stored(sessionId);
    expect(before.map(({ seq }) => seq)).toEqual(before.map((_, index) => index));
    expect(lines.slice(0, before.length)).toEqual(before.map(({ text }) => text));
    expect(before.filter(({ text }) => text.startsWith('{"type":"assistant/chunk"')).length).toBeGreaterThan(5);
    await reopen(sessionId);
    expect((await stored(sessionId)).slice(0, lines.length)).toEqual(lines);
  });

  it('PER-12: right before the model was asked, its whole request is there and the turn ends interrupted', async () => {
    const sessionId = await begin([{ calls: [command('a', 'echo x')] }, { await: 'never', text: 'Never said' }]);
    await control.until(() =>
      control.pushes.some(
        ({ push, data }) => push === 'event' && data.event.type === 'step/start' && data.event.data.step === 2,
      ),
    );
    await restart();
    const { view, events } = await reopen(sessionId);
    const step = events.find(({ type, data }) => type === 'step/start' && data.step === 2);
    const through = step?.type === 'step/start' ? step.data.through : -1;
    expect(events.slice(0, through + 1).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['user/message', 'assistant/message', 'tool/call', 'tool/result']),
    );
    expect(events.at(-2)).toMatchObject({ type: 'turn/end', data: { turn: 1, reason: 'interrupted' } });
    expect(view).toMatchObject({ state: 'idle', approvals: [], queued: [] });
  });

  it('PER-13: while tools ran, each call has one result: unknown where it had started, not started where not', async () => {
    const sessionId = await begin([
      { calls: [program('a', "await tools.bash({ command: 'echo up > up.txt; sleep 60' })"), command('b', 'echo x')] },
    ]);
    await control.until(() =>
      control.pushes.some(
        ({ push, data }) => push === 'event' && data.event.type === 'tool/started' && data.event.data.callId === 'a:1',
      ),
    );
    await restart();
    const { view, events } = await reopen(sessionId);
    expect(
      events.filter(({ type }) => type === 'tool/result' || type === 'tool/nested-result').map(({ data }) => data),
    ).toMatchObject([
      { callId: 'a:1', rootCallId: 'a', status: 'unknown', code: 'TOOL_OUTCOME_UNKNOWN' },
      { callId: 'a', status: 'unknown', code: 'TOOL_OUTCOME_UNKNOWN' },
      { callId: 'b', status: 'refused', code: 'TOOL_NOT_STARTED' },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'environment/ended', data: expect.objectContaining({ reason: 'restarted' }) }),
    );
    expect(view).toMatchObject({ environments: [], cleanups: [] });
  });

  it('5-b: a question that was open has ended with the restart, nothing has run, and a new one works', async () => {
    const sessionId = await begin([
      { calls: [command('a', 'echo x >> ../out.txt', escalate('danger-full-access'))] },
      { calls: [command('b', 'echo y >> ../out.txt', escalate('danger-full-access'))] },
      {},
    ]);
    const asked = () =>
      control.pushes.flatMap(({ push, data }) =>
        push === 'approval' && data.change === 'asked' ? [data.approval] : [],
      );
    await control.until(() => asked().length === 1);
    const [first] = asked();
    await restart();
    const { view, events } = await reopen(sessionId);
    expect(view.approvals).toEqual([]);
    expect(events.filter(({ type }) => type === 'approval/decided').map(({ data }) => data)).toMatchObject([
      { id: first?.approvalId, outcome: 'cancelled', reason: 'restarted' },
    ]);
    expect(
      await control.reply('approval.decide', { approvalId: first?.approvalId, decision: 'allow-once' }),
    ).not.toMatchObject({ ok: true, output: { settled: true } });
    expect(existsSync(join(folder, 'out.txt'))).toBe(false);
    await control.request('session.prompt', { sessionId, text: 'Again' });
    await control.until(() => asked().length === 1);
    const [second] = asked();
    expect(second?.approvalId).not.toBe(first?.approvalId);
    await control.request('approval.decide', {
      approvalId: (second as PendingApproval).approvalId,
      decision: 'allow-once',
    });
    await control.request('session.idle', { sessionId });
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('y\n');
    expect(await control.end()).toBe(0);
  });
});

it('PER-5: a log of a newer program is opened by nobody: the reply says who wrote it and where it is', async () => {
  const { sessionId } = await control.request('session.create', { workspace });
  await control.kill();
  const log = join(home, 'sessions', sessionId, 'session.jsonl');
  const newer = (await readFile(log, 'utf8')).replace('"version":1', '"version":2');
  await writeFile(log, newer);
  control = new ControlClient(home);
  for (const [name, input] of [
    ['session.open', { sessionId }],
    ['session.prompt', { sessionId, text: 'Go' }],
  ] as const) {
    const reply = await control.reply(name, input);
    expect(reply).toMatchObject({
      ok: false,
      code: 'newer-version',
      message: expect.stringContaining('newer program'),
    });
    expect(reply).toMatchObject({ message: expect.stringContaining(log) });
  }
  expect((await control.request('session.list', {})).sessions).toMatchObject([{ sessionId, damaged: true }]);
  expect(await readFile(log, 'utf8')).toBe(newer);
  expect(await control.end()).toBe(0);
});

it('a Session whose first events cannot be stored leaves nothing behind, and the next one is fine', async () => {
  const home = join(folder, 'full');
  const control = new ControlClient(home);
  try {
    expect((await control.request('session.list', {})).sessions).toEqual([]);
    await writeFile(join(home, 'sessions'), 'in the way');
    expect(await control.reply('session.create', { workspace })).toMatchObject({ ok: false, code: 'storage' });
    await rm(join(home, 'sessions'));
    expect((await control.request('session.list', {})).sessions).toEqual([]);
    const { sessionId } = await control.request('session.create', { workspace });
    expect((await control.request('session.list', {})).sessions).toMatchObject([{ sessionId }]);
    expect(await control.end()).toBe(0);
  } finally {
    control.destroy();
  }
});
