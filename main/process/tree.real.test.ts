import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, runningWith, start, Transcript, type World } from '../sandbox/world.fixture.ts';
import { isAlive } from './identity.ts';
import { reapDead } from './reaper.ts';

const worlds: World[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(worlds.splice(0).map((world) => world.remove()));
});

function world(): World {
  const made = createWorld();
  worlds.push(made);
  return made;
}

/**
 * A leader, a grandchild, a daemon in a session of its own whose parents are gone, and an ignorer of TERM; each has
 * `name` among its arguments. It says so when all of them run.
 */
const hostile = (name: string) => `
  keep() { exec tail -f /dev/null ${name}; }
  (keep) &
  (setsid sh -c '(exec tail -f /dev/null ${name}) &') &
  (trap "" TERM HUP; exec tail -f /dev/null ${name}) &
  while [ "$(grep -l "^tail" /proc/[0-9]*/cmdline 2>/dev/null | xargs grep -lF ${name} 2>/dev/null | wc -l)" -lt 3 ]; do :; done
  echo ready; wait`;

const MODES = ['workspace-write', 'danger-full-access'] as const;

describe.each(MODES)('a tree under %s', (mode) => {
  it('PRC-1: is gone as a whole when close resolves: children, grandchildren, daemons, ignorers of TERM', async () => {
    const here = world();
    const name = here.base;
    const process = await start(here, { policy: here.policy(mode), argv: ['sh', '-c', hostile(name)], graceMs: 200 });
    await new Transcript(process).until('ready');
    expect(runningWith(name).length).toBeGreaterThanOrEqual(3);
    expect(await process.close()).toMatchObject({ ok: true });
    expect(runningWith(name)).toEqual([]);
    expect(isAlive(process.identity)).toBe(false);
  });

  it('PRC-2: is gone as a whole although the leader has exited and a child ignores TERM', async () => {
    const here = world();
    const name = here.base;
    const script = `(trap "" TERM HUP; exec tail -f /dev/null ${name}) & echo left`;
    const process = await start(here, { policy: here.policy(mode), argv: ['sh', '-c', script], graceMs: 200 });
    await new Transcript(process).until('left');
    expect(await process.exited).toEqual({ exitCode: 0, signal: null });
    expect(await process.close()).toEqual({ ok: true, exit: { exitCode: 0, signal: null } });
    expect(runningWith(name)).toEqual([]);
  });

  it('gives a program the time that it needs to end well', async () => {
    const here = world();
    const script = `process.on('SIGTERM', () => setTimeout(() => { console.log('saved'); process.exit(7) }, 100)); console.log('up'); setInterval(() => {}, 1e6)`;
    const started = await start(here, { policy: here.policy(mode), argv: [process.execPath, '-e', script] });
    const transcript = new Transcript(started);
    await transcript.until('up');
    expect(await started.close()).toEqual({ ok: true, exit: { exitCode: 7, signal: null } });
    expect(await transcript.end).toBe('up\nsaved\n');
  });

  it('says that it was killed when it was, and gives its descriptors back', async () => {
    const here = world();
    const process = await start(here, { policy: here.policy(mode), argv: ['sleep', '300'], graceMs: 0, channels: 1 });
    expect(await process.close()).toEqual({ ok: true, exit: { exitCode: null, signal: 'SIGKILL' } });
    expect([process.stdout, process.stderr, ...process.channels].every((stream) => stream.destroyed)).toBe(true);
  });
});

describe('an app that ends without a word', () => {
  it.each([
    ['SIGKILL', (app: ChildProcess): void => void app.kill('SIGKILL'), ['workspace-write']],
    ['an uncaught error', (app: ChildProcess): void => void app.stdin?.end('throw'), MODES],
  ] as const)('PRC-6: takes its processes with it: %s', async (_name, end, modes) => {
    const here = world();
    const app = spawn(process.execPath, [join(import.meta.dirname, 'app.fixture.ts'), here.base, ...modes], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.push(app);
    await new Promise((resolve) => app.stdout.once('data', resolve));
    await expect.poll(() => runningWith(`${here.base}/alive`).length).toBeGreaterThanOrEqual(modes.length);
    end(app);
    await expect.poll(() => runningWith(`${here.base}/alive`), { timeout: 5000 }).toEqual([]);
  });

  it('leaves unconfined processes for the next start, which ends and reports them', async () => {
    const here = world();
    const app = spawn(
      process.execPath,
      [join(import.meta.dirname, 'app.fixture.ts'), here.base, 'danger-full-access'],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    children.push(app);
    const instance = await new Promise<string>((resolve) =>
      app.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    await expect.poll(() => runningWith(`tail\0-f\0/dev/null\0${here.base}/alive`).length).toBe(1);
    const gone = new Promise((resolve) => app.once('exit', resolve));
    app.kill('SIGKILL');
    await gone;
    const left = runningWith(`${here.base}/alive`);
    expect(left.length).toBeGreaterThan(0);
    const events: string[] = [];
    const dead = {
      id: instance,
      forget: async () => void events.push('forgotten'),
      release: async () => void events.push('released'),
    };
    const reaped = await reapDead({ dead: async () => [dead] }, (fault) => events.push(String(fault)));
    expect(runningWith(`${here.base}/alive`)).toEqual([]);
    expect(reaped.map(({ pid }) => pid)).toEqual(expect.arrayContaining([...left]));
    expect(events).toEqual(['forgotten']);
  });

  it('touches nothing of an instance that is not dead', async () => {
    const here = world();
    const process = await start(here, { policy: here.policy('danger-full-access'), argv: ['sleep', '300'] });
    const nobody = { id: 'someone-else', forget: async () => undefined, release: async () => undefined };
    expect(await reapDead({ dead: async () => [nobody] }, () => undefined)).toEqual([]);
    expect(isAlive(process.identity)).toBe(true);
  });
});
