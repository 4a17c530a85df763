import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import { recall } from '../../app/session/recall.ts';
import { Session } from '../../app/session/session.ts';
import { FakeTimers } from '../../app/session/session.fixture.ts';
import { Verifier } from '../../app/session/verify.ts';
import { startChild, type Child, type Job } from './child.fixture.ts';
import { headerNamed, makeHome, never, openStore, writerOf, type Home } from './home.fixture.ts';

const id = 's_test' as SessionId;

let home: Home;
let children: Child[];
beforeEach(async () => {
  home = await makeHome();
  children = [];
});
afterEach(async () => {
  for (const child of children) await child.kill();
  await home.remove();
});

function start(job: Job): Child {
  const child = startChild(job, home.sessions);
  children.push(child);
  return child;
}

/** Opens what a killed process left, and closes it again: recovery is on disk then. */
async function reopen(): Promise<void> {
  const header = headerNamed();
  const writer = await writerOf(home.reopened());
  const session = new Session({ header, writer, now: () => 1, timers: new FakeTimers(), onFault: () => undefined });
  session.begin();
  await session.close();
}

describe('a killed writer', () => {
  it('loses nothing that it had acknowledged, wherever it is killed, and leaves a log that verifies', async () => {
    let acknowledged = -1;
    for (let round = 0; round < 20; round += 1) {
      const child = start('append');
      const lines: (string | undefined)[] = [];
      // A random number of acknowledgements, then the kill falls somewhere into the next batches.
      for (let wait = Math.floor(Math.random() * 8); wait >= 0; wait -= 1) lines.push(await child.line());
      lines.push(...(await child.kill()));
      const seqs = lines.map(Number).filter((seq) => Number.isInteger(seq));
      acknowledged = Math.max(acknowledged, ...seqs);
      await reopen();
      const events = await home.reopened().read(id, 0, 1_000_000, never);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
      expect(events.length).toBeGreaterThan(acknowledged);
      expect(await home.reopened().verify(id, new Verifier(), never)).toMatchObject({ ok: true, problems: [] });
    }
    expect(acknowledged).toBeGreaterThan(20);
  }, 60_000);

  it('PER-12: killed right before the model request, its whole envelope is there and the turn ends interrupted', async () => {
    const child = start('before-model');
    expect(await child.line()).toBe('ready');
    await child.kill();
    await reopen();
    const store = home.reopened();
    const messages = await recall((from, to) => store.read(id, from, to, never), 2);
    expect(messages).toEqual([
      { role: 'user', text: 'do it' },
      { role: 'context', text: 'policy' },
    ]);
    const tail = await store.read(id, 3, 9, never);
    expect(tail).toMatchObject([
      { type: 'step/start', data: { through: 2 } },
      { type: 'turn/end', data: { turn: 1, reason: 'interrupted' } },
      { type: 'session/end-seed' },
    ]);
  });

  it('PER-13: killed while a tool runs, the call exists and its outcome is unknown, however long ago it began', async () => {
    const child = start('tool-runs');
    expect(await child.line()).toBe('ready');
    await child.kill();
    await reopen();
    const events = await home.reopened().read(id, 0, 1000, never);
    expect(events[4]).toMatchObject({ type: 'tool/call', data: { callId: 'c1' } });
    expect(events.slice(407)).toMatchObject([
      { type: 'tool/result', data: { callId: 'c1', status: 'unknown', code: 'TOOL_OUTCOME_UNKNOWN' } },
      { type: 'tool/result', data: { callId: 'c2', status: 'refused', code: 'TOOL_NOT_STARTED' } },
      { type: 'turn/end', data: { reason: 'interrupted' } },
      { type: 'session/end-seed' },
    ]);
    expect(await home.reopened().verify(id, new Verifier(), never)).toMatchObject({ ok: true });
  });

  it('1-d: while it lives nobody else may write, and once it is killed its lock is free at once', async () => {
    const child = start('hold');
    expect(await child.line()).toBe('ready');
    const refused = await home.store.openForWriting(headerNamed(), never);
    expect(refused).toMatchObject({ kind: 'open-elsewhere', holder: expect.stringContaining(`process ${child.pid}`) });
    expect(await home.store.read(id, 0, 9, never)).toMatchObject([{ seq: 0, data: { text: 'held' } }]);
    await child.kill();
    const writer = await writerOf(home.store);
    expect(writer.stored.length).toBe(1);
    await writer.close();
  });

  it('1-d: of two processes that make a Session of one id, the second fails and stores nothing', async () => {
    const prepared = await writerOf(openStore(home.sessions));
    const child = start('hold');
    expect(await child.line()).toBe('ready');
    const mine = [{ type: 'session/end-seed', seq: 0, time: 1, data: {} } as const];
    await expect(prepared.append(0, mine)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    await prepared.close();
    expect(await home.reopened().read(id, 0, 9, never)).toMatchObject([{ data: { text: 'held' } }]);
  });

  it('passes its lock to no process that it starts', async () => {
    await home.write([{ type: 'session/end-seed', data: {} }]);
    const writer = await writerOf(home.store);
    const program = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(program, 'spawn');
      expect(await openFiles(process.pid)).toContain(home.paths().lock);
      expect(await openFiles(program.pid ?? 0)).not.toContain(home.paths().lock);
      await writer.close();
      const next = await writerOf(home.reopened());
      await next.close();
    } finally {
      program.kill('SIGKILL');
      await once(program, 'exit');
    }
  });

  it('takes a lock that nobody holds, whatever its file says, and puts its own name in', async () => {
    await home.write([{ type: 'session/end-seed', data: {} }]);
    await writeFile(home.paths().lock, '{"pid":1}');
    const writer = await writerOf(home.store);
    expect(JSON.parse(await readFile(home.paths().lock, 'utf8'))).toMatchObject({ pid: process.pid });
    await writer.close();
  });
});

async function openFiles(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')));
  return links;
}
