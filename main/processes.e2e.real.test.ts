import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { aroundLaunch, command, createWorld, goneWithin, program, type World } from './core.fixture.ts';
import { readProc } from './process/identity.ts';
import { until } from './process/until.ts';
import type { ConfinedLaunch } from './sandbox/confined.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

/** How many processes of the product have this word in their arguments. */
const running = (word: string): number =>
  world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes(word)).length;
const within = async (check: () => boolean): Promise<void> => expect(await until(check, 10_000)).toBe(true);

describe('a command', () => {
  it('PRC-1: is gone with its grandchildren before its cancelled call ends', async () => {
    const shell = 'sleep 971 & (sleep 971 & setsid sleep 971 & wait) & nohup sh -c "sleep 971; sleep 971" & wait';
    const session = await world.turns([[command('a', shell)]]);
    await session.begin();
    await within(() => running('sleep\u0000971') >= 4);
    const alive = world.until(
      ({ push, data }) => push === 'event' && data.event.type === 'tool/result' && { running: running('971') },
    );
    await world.request('session.stop', { sessionId: session.id });
    expect(await alive).toEqual({ running: 0 });
    expect(await session.result('a')).toMatchObject({
      status: 'cancelled',
      code: 'stopped',
      facts: { cancelled: true },
    });
    expect(await session.idle()).toBe('aborted');
  });

  it('is cancelled, and not failed, when the stop comes while it starts', async () => {
    await world.close();
    const starting = Promise.withResolvers<void>();
    const request = (asked: ConfinedLaunch) => (starting.resolve(), asked);
    world = await createWorld({ around: aroundLaunch({ request }) });
    const session = await world.turns([[command('a', 'sleep 976')]]);
    await session.begin();
    await starting.promise;
    await world.request('session.stop', { sessionId: session.id });
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(running('976')).toBe(0);
  });

  it.each(['workspace-write', 'danger-full-access'])(
    'PRC-2: that ignores TERM is killed after the grace under %s, also when its leader has gone',
    async (preset) => {
      const deaf = "trap '' TERM INT HUP; while :; do sleep 0.05; done";
      const session = await world.turns([[command('a', `sh -c "${deaf} # deaf-972" & sleep 973`)]], { preset });
      await session.begin();
      await within(() => running('deaf-972') >= 1 && running('sleep\u0000973') >= 1);
      const asked = performance.now();
      await world.request('session.stop', { sessionId: session.id });
      expect(await session.result('a')).toMatchObject({ status: 'cancelled' });
      expect(performance.now() - asked).toBeLessThan(5_500);
      expect([running('deaf-972'), running('973')]).toEqual([0, 0]);
      expect(await session.idle()).toBe('aborted');
    },
  );

  it('PRC-4: sees no secret of the host, in a shell, a program or a nested call; explicit entries remain', async () => {
    await world.close();
    const secrets = {
      FAKE_TOKEN: 's1',
      MY_KEY: 's2',
      APP_SECRET: 's3',
      DB_PASSWORD: 's4',
      SSH_AUTH_SOCK: 's5',
      NODE_OPTIONS: '--no-warnings',
      LD_PRELOAD: '',
    };
    // They are there whenever something starts: the environment of a launch is picked then.
    Object.assign(process.env, secrets);
    onTestFinished(() => {
      for (const name of Object.keys(secrets)) delete process.env[name];
    });
    world = await createWorld();
    const code = "[Object.keys(process.env), (await tools.bash({ command: 'env' })).output.text]";
    for (const preset of ['read-only', 'danger-full-access']) {
      const session = await world.turns(
        [[command('a', 'env; cat /proc/1/environ | tr "\\0" "\\n"'), program('b', code)]],
        { preset },
      );
      const [shell, inProgram] = await session.turn();
      for (const said of [shell?.content, inProgram?.content]) {
        for (const name of Object.keys(secrets)) expect(said).not.toContain(`${name}=`);
        expect(said).toMatch(/GATEHOUSE_MODE/);
        expect(said).toMatch(/PATH/);
      }
      for (const name of Object.keys(secrets)) expect(inProgram?.content).not.toContain(`"${name}"`);
    }
  });

  it('PRC-5: shows the tail of what it printed beyond the cap, and keeps all of it in a private file', async () => {
    const session = await world.turns([
      [command('a', 'echo first-line; for i in $(seq 20000); do echo line $i; done; echo last-line')],
    ]);
    const result = await session.one();
    const output = result.facts?.output;
    expect(output?.text.endsWith('last-line\n')).toBe(true);
    expect(output?.text).not.toContain('first-line');
    expect(Buffer.byteLength(output?.text ?? '')).toBeLessThanOrEqual(65_536);
    expect(result.content.length).toBeLessThanOrEqual(66_000);
    const blob = join(world.home, 'sessions', session.id, 'blobs', output?.blob ?? '');
    expect((await stat(blob)).mode & 0o777).toBe(0o600);
    const kept = await readFile(blob, 'utf8');
    expect([kept.startsWith('first-line\n'), kept.endsWith('last-line\n'), Buffer.byteLength(kept)]).toEqual([
      true,
      true,
      output?.bytes,
    ]);
  });

  it.each([
    ['in the background', 'sleep 974 & echo done'],
    ['with its output elsewhere', 'sleep 974 > /dev/null & echo done'],
    ['in a session of its own', 'setsid sleep 974 & echo done'],
  ])('4-b: that leaves a process %s ends with its shell, says so, and the process is gone', async (_where, shell) => {
    const session = await world.turns([[command('a', shell)]]);
    const result = await session.one();
    expect(result).toMatchObject({ status: 'ok', facts: { exitCode: 0, output: { text: 'done\n' } } });
    expect(result.facts?.left).toBeGreaterThanOrEqual(1);
    expect(result.facts?.durationMs).toBeLessThan(4_500);
    expect(running('974')).toBe(0);
  });

  it('3-d: killed by a signal is never a success', async () => {
    const session = await world.turns([
      ['kill -KILL $$', 'kill -TERM $$', 'exit 137', 'exit 0'].map((shell, index) => command(`c${index}`, shell)),
    ]);
    const results = await session.turn();
    expect(results.map(({ status, facts }) => [status, facts?.exitCode, facts?.signal])).toEqual([
      ['failed', 137, 'SIGKILL'],
      ['failed', 143, 'SIGTERM'],
      ['ok', 137, null],
      ['ok', 0, null],
    ]);
    expect(results.map(({ content }) => content.includes('killed by SIGKILL'))).toEqual([true, false, false, false]);
  });
});

it.each(['workspace-write', 'danger-full-access'])(
  'PRC-6: what the product started under %s is dead after it ended by an uncaught error',
  async (preset) => {
    const crash = join(import.meta.dirname, 'coreCrash.fixture.ts');
    const child = spawn(process.execPath, [crash, join(world.folder, 'other'), world.workspace, preset], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const exit = once(child, 'exit');
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(String(line)).toBe('running\n');
      const [code] = (await exit) as [number | null];
      expect(code).toBe(1);
      expect(existsSync(join(world.workspace, 'grows.txt'))).toBe(true);
      expect(await goneWithin(world.workspace, 5_000)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
