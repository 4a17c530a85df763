import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createCore } from '../core.ts';
import { assertGone, command, escalate, type TestAnswer } from '../core.fixture.ts';
import { findProgram } from '../sandbox/programs.ts';
import { serve, type ServeOptions } from './serve.ts';
import { SOON, Client, tokenOf } from './server.fixture.ts';

// Each test starts the whole product.
vi.setConfig({ testTimeout: 60_000 });

/** A data folder, a workspace and a built window. Nothing of a process may be left of it after the test. */
async function freshPlace() {
  const folder = await mkdtemp('/var/tmp/gatehouse-serve-');
  onTestFinished(async () => {
    await assertGone(folder);
    await rm(folder, { recursive: true });
  });
  const [home, workspace, assets] = [join(folder, 'home'), join(folder, 'workspace'), join(folder, 'renderer')];
  await Promise.all([mkdir(workspace), mkdir(assets)]);
  await writeFile(join(assets, 'index.html'), 'the page');
  return { folder, home, workspace, assets };
}

type Place = Awaited<ReturnType<typeof freshPlace>>;

async function connect(origin: string, token: string): Promise<Client & { readonly session: string }> {
  const client = new Client(new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { origin } }));
  client.say({ token });
  const { ready, token: session } = await client.next();
  expect(ready).toBe(true);
  return Object.assign(client, { session: String(session) });
}

/** The browser host in this process, over a real core. */
async function serving({ home, assets }: Place, more: Partial<ServeOptions> = {}) {
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
  const end = new AbortController();
  const signals = new EventEmitter();
  const desk = { platform: 'linux', env: { PATH: process.env['PATH'] }, uid: 1000 } as const;
  const faults: unknown[] = [];
  const openCore = () => createCore({ home, onFault: (fault) => void faults.push(fault) });
  const address = { kind: 'port', port: 0 } as const;
  const served = serve({ openCore, assets, address, open: true, desk, stdout, stderr, signals, ...more }, end.signal);
  onTestFinished(async () => {
    end.abort();
    await served.catch(() => undefined); // The test looks at why it could not start.
    expect(faults).toEqual([]);
  });
  const [link] = await Promise.race([
    once(stdout, 'data'),
    served.then(() => Promise.reject(new Error('It has ended'))),
  ]);
  const { origin } = new URL(String(link));
  return {
    origin,
    link: String(link).trim(),
    served,
    end,
    signals,
    stdout,
    stderr,
    first: () => connect(origin, tokenOf(String(link))),
  };
}

/** Asks and expects an answer. */
async function output(
  window: Client,
  request: string,
  input: object = {},
): Promise<{ readonly [key: string]: unknown }> {
  const id = window.told.length + 1_000;
  const reply = await window.ask({ id, request, input });
  expect(reply).toMatchObject({ ok: true });
  return reply['output'] as { readonly [key: string]: unknown }; // It was answered.
}

async function scripted(window: Client, { folder, workspace }: Place, answers: readonly TestAnswer[]): Promise<string> {
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify({ answers }));
  const { sessionId } = await output(window, 'session.create', { workspace, agent: `script:${script}` });
  await output(window, 'session.prompt', { sessionId, text: 'Go' });
  return String(sessionId);
}

describe('a window of the browser host', () => {
  it('is told which host it is in and why, and that it opens links and finds folders by itself', async () => {
    const { first } = await serving(await freshPlace(), { reason: 'Electron is not installed.' });
    const window = await first();
    expect(await output(window, 'host.describe')).toMatchObject({
      host: 'browser',
      platform: 'linux',
      reason: 'Electron is not installed.',
      canPickFolder: false,
    });
    expect(await window.ask({ id: 1, request: 'host.pickFolder' })).toMatchObject({ ok: false, code: 'forbidden' });
    const url = 'https://gatehouse.example/';
    expect(await window.ask({ id: 2, request: 'host.openExternal', input: { url } })).toMatchObject({
      code: 'forbidden',
    });
  });

  it('APR-8: when it reloads during a question, the same question is answerable exactly once', async () => {
    const place = await freshPlace();
    const { origin, first } = await serving(place);
    const before = await first();
    const outside = join(place.folder, 'outside.txt');
    const asking = command('c1', `echo x > ${outside}`, escalate('danger-full-access'));
    const sessionId = await scripted(before, place, [{ calls: [asking] }, { text: 'Done.' }]);
    await before.until(({ push, data }) => push === 'approval' && data !== undefined && 'approval' in data);
    before.socket.close();
    await before.ended;
    const after = await connect(origin, before.session);
    await output(after, 'session.open', { sessionId });
    const { approvals } = (await output(after, 'approval.list')) as { approvals: readonly { approvalId: string }[] };
    expect(approvals).toHaveLength(1);
    const input = { approvalId: approvals[0]?.approvalId, decision: 'allow-once' };
    expect(await output(after, 'approval.decide', input)).toMatchObject({ settled: true });
    expect(await output(after, 'approval.decide', input)).toMatchObject({ settled: false, outcome: 'allowed-once' });
    await output(after, 'session.idle', { sessionId });
    expect(await readFile(outside, 'utf8')).toBe('x\n');
    const { events } = (await output(after, 'session.events', { sessionId, from: 0, to: 100 })) as {
      events: readonly { type: string; data: object }[];
    };
    const decided = events.filter(({ type }) => type === 'approval/decided');
    expect(decided).toMatchObject([{ data: { outcome: 'allowed-once', by: 'person', door: 'browser-2' } }]);
  });

  it('9-e: is one of three, and exactly one of them is told of a question; all of them that it is answered', async () => {
    const place = await freshPlace();
    const { origin, first } = await serving(place);
    const one = await first();
    const windows = [one, await connect(origin, one.session), await connect(origin, one.session)];
    windows[1]?.say({ touched: true });
    const asking = command('c1', 'true', escalate('danger-full-access'));
    await scripted(one, place, [{ calls: [asking] }, { text: 'Done.' }]);
    const [, two] = windows;
    const { data } = (await two?.until(({ push }) => push === 'note')) ?? {};
    expect(data).toMatchObject({ kind: 'approval-needed' });
    const { approvals } = (await output(one, 'approval.list')) as { approvals: readonly { approvalId: string }[] };
    await output(one, 'approval.decide', { approvalId: approvals[0]?.approvalId, decision: 'deny' });
    const isWithdrawn = ({ push, data: note }: Client['told'][number]) =>
      push === 'note' && note !== undefined && 'withdrawn' in note;
    await Promise.all(windows.map((each) => each.until(isWithdrawn)));
    const asked = windows.map(
      (each) => each.told.filter((told) => told['push'] === 'note' && !isWithdrawn(told)).length,
    );
    expect(asked[0]).toBe(0);
    expect(asked[2]).toBe(0);
  });
});

describe('the browser host', () => {
  it('tells what it runs on and prints another link when it is asked for one', async () => {
    const { origin, link, signals, stdout, stderr } = await serving(await freshPlace());
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    await expect.poll(() => signals.listenerCount('SIGUSR2'), SOON).toBe(1);
    expect(String(stderr.read())).toMatch(/^Gatehouse \S+, browser host: as asked for\.\nNo window was opened: /);
    signals.emit('SIGUSR2');
    const [another] = await once(stdout, 'data');
    expect(another).not.toBe(`${link}\n`);
    await connect(origin, tokenOf(String(another)));
    await connect(origin, tokenOf(link));
  });

  it('does not start without a built window, nor where something else listens, and leaves nothing', async () => {
    const place = await freshPlace();
    const { origin } = await serving(place);
    const port = Number(new URL(origin).port);
    const taken = serving({ ...place, home: join(place.folder, 'second') }, { address: { kind: 'port', port } });
    await expect(taken).rejects.toMatchObject({ code: 'conflict' });
    const unbuilt = serving({ ...place, assets: place.workspace, home: join(place.folder, 'third') });
    await expect(unbuilt).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('npm run build'),
    });
    expect(await readdir(place.folder)).not.toContain('third');
  });

  it('ends what runs, answers who waits, and parts from its windows', async () => {
    const place = await freshPlace();
    const { first, end, served, signals } = await serving(place);
    await expect.poll(() => signals.listenerCount('SIGUSR2'), SOON).toBe(1);
    const window = await first();
    const sessionId = await scripted(window, place, [{ calls: [command('c1', 'sleep 600')] }]);
    await window.until(
      ({ push, data }) =>
        push === 'event' && data !== undefined && 'event' in data && data.event.type === 'tool/started',
    );
    const idle = window.ask({ id: 1, request: 'session.idle', input: { sessionId } });
    await window.ask({ id: 2, request: 'preset.list' });
    end.abort();
    expect(await window.ask({ id: 3, request: 'preset.list' })).toMatchObject({ ok: false, code: 'closing' });
    expect(await idle).toEqual({ id: 1, ok: true, output: { reason: 'aborted' } });
    expect(await window.ended).toEqual([1001, 'Gatehouse is closing.']);
    await served;
    expect(signals.listenerCount('SIGUSR2')).toBe(0);
  });
});

describe('gatehouse serve', () => {
  const program = (place: Place, argv: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'serve.ts'), '--assets', place.assets, ...argv],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env, GATEHOUSE_HOME: place.home },
        detached: true,
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const told: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => told.push(line));
    return { child, told, links: createInterface({ input: child.stdout }) };
  };

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'runs until %s, exits 0, and leaves no process and no file of its own',
    async (signal) => {
      const place = await freshPlace();
      const socket = join(place.folder, 'gatehouse.sock');
      const { child, told, links } = program(place, ['--socket', socket], {
        GATEHOUSE_HOST_REASON: 'There is no display.',
      });
      const [link] = (await once(links, 'line')) as [string];
      expect(link).toMatch(/^http:\/\/localhost:8080\/#token=[\w-]{43}$/);
      await expect.poll(() => told.at(-1), SOON).toBe('Ctrl+C ends it.');
      expect(told[0]).toMatch(/^Gatehouse \d+\.\d+\.\d+, browser host: There is no display\.$/);
      expect(told).toContain(`Another link: kill -USR2 ${child.pid}`);
      child.kill('SIGUSR2');
      const [another] = (await once(links, 'line')) as [string];
      const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' };
      const window = new Client(new WebSocket(`ws+unix:${socket}:/ws`, { headers }));
      window.say({ token: tokenOf(another) });
      await window.until(({ ready }) => ready === true);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(await window.ended).toEqual([1001, 'Gatehouse is closing.']);
      expect((await readdir(place.folder)).toSorted()).toEqual(['home', 'renderer', 'workspace']);
      expect((await readdir(place.home)).filter((name) => name.endsWith('.html'))).toEqual([]);
    },
  );

  it('names what is missing and the one command that installs it', async () => {
    const place = await freshPlace();
    const bin = join(place.folder, 'bin');
    await mkdir(bin);
    for (const name of ['git', 'sh'])
      await symlink((await findProgram(name, process.env['PATH'] ?? '')) ?? '', join(bin, name));
    await writeFile(join(bin, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    const { child, told, links } = program(place, [], { PATH: bin });
    await once(links, 'line');
    child.kill();
    await once(child, 'exit');
    const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
    expect(told[1]).toBe(
      'bubblewrap is missing: until it is there, confined Sessions run no command and no program. ' +
        `Install it with: ${sudo}apt-get install bubblewrap`,
    );
  });

  it.each([
    [['--port', 'http'], '--port takes a number up to 65535, not http'],
    [['--port', '70000'], '--port takes a number up to 65535, not 70000'],
    [['--port', '1', '--socket', 'x'], '--port and --socket exclude each other'],
    [['more'], 'Unexpected argument: more'],
  ])('%j is wrong usage', async (argv, message) => {
    const { child, told } = program(await freshPlace(), argv);
    expect((await once(child, 'close'))[0]).toBe(64);
    expect(told[0]).toBe(`gatehouse: ${message}`);
  });
});
