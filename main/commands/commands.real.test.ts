import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tailOf, utf8Bytes, type Text } from '../../app/base/text.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { CommandDone, CommandRequest, RunningCommand } from '../../app/tool/ports.ts';
import { isAlive } from '../process/identity.ts';
import type { Confiner } from '../sandbox/confined.ts';
import { createWorld, never, runningWith, session, SETTINGS, type World } from '../sandbox/world.fixture.ts';
import { ConfinedCommands } from './commands.ts';

let world: World;
let commands: ConfinedCommands;
const kept: string[] = [];

async function keep(_: unknown, text: string): Promise<Text> {
  kept.push(text);
  return { text: tailOf(text), bytes: utf8Bytes(text), dropped: 0, blob: 'b1' };
}

beforeAll(() => {
  world = createWorld();
  commands = new ConfinedCommands({ confiner: world.provider, keep, path: process.env['PATH'] ?? '' });
});
afterAll(() => world.remove());

interface Asked extends Partial<Omit<CommandRequest, 'run'>> {
  readonly mode?: Mode;
  readonly outputBytes?: number;
}

async function begin(run: string | readonly [string, ...string[]], asked: Asked = {}): Promise<RunningCommand> {
  const started = await attempt(run, asked);
  if (started.kind !== 'running') throw new Error(started.message);
  return started;
}

function attempt(
  run: string | readonly [string, ...string[]],
  { mode = 'workspace-write', outputBytes, ...rest }: Asked = {},
) {
  const request = {
    run: typeof run === 'string' ? { shell: run } : { argv: run },
    cwd: world.workspace,
    timeoutMs: 60_000,
    ...rest,
  };
  const limits = { ...SETTINGS.limits, ...(outputBytes !== undefined && { outputBytes }) };
  return commands.start(request, { sessionId: session('c1'), policy: world.policy(mode, { limits }) }, never);
}

async function run(command: string | readonly [string, ...string[]], asked: Asked = {}): Promise<CommandDone> {
  return (await begin(command, asked)).done;
}

describe.each<Mode>(['workspace-write', 'danger-full-access'])('a command under %s', (mode) => {
  it.each([
    ['kill -KILL $$', 137, 'SIGKILL'],
    ['kill -TERM $$', 143, 'SIGTERM'],
    ['exit 137', 137, null],
    ['kill -INT $$', 130, null],
    ['exit 0', 0, null],
  ])('3-d: tells a death by a signal from an exit code: %s', async (command, exitCode, signal) => {
    expect((await run(command, { mode })).facts).toMatchObject({ exitCode, signal, output: { text: '' } });
  });

  it('is over when its leader is, and ends and counts what it left, which holds the pipes open', async () => {
    const name = `${world.base}/left-${mode}`;
    const { facts } = await run(`tail -f /dev/null ${name} & (setsid tail -f /dev/null ${name} &); sleep 0.2; exit 4`, {
      mode,
    });
    expect(facts).toMatchObject({ exitCode: 4, signal: null, left: 2, timedOut: false, cancelled: false });
    expect(runningWith(name)).toEqual([]);
  });

  it('leaves nothing where it left nothing', async () => {
    expect((await run('true & wait; (true); echo done', { mode })).facts).toMatchObject({
      left: 0,
      output: { text: 'done\n' },
    });
  });

  it('3-f: may be 200 KiB long', async () => {
    const { facts } = await run(`printf %s '${'x'.repeat(200 * 1024)}' | wc -c; echo $0; exit 3`, { mode });
    expect(facts).toMatchObject({ exitCode: 3, output: { text: expect.stringMatching(/^204800\n.*bash\n$/) } });
  });

  it('PRC-1: is gone with all of its grandchildren when it was cancelled, and says so', async () => {
    const name = `${world.base}/cancel-${mode}`;
    const printed = Promise.withResolvers<void>();
    const script = `(sh -c 'tail -f /dev/null ${name} & wait' &); tail -f /dev/null ${name} & echo up; wait`;
    const running = await begin(script, { mode, onOutput: () => printed.resolve() });
    await printed.promise;
    expect(await running.close()).toMatchObject({ ok: true });
    expect(runningWith(name)).toEqual([]);
    expect((await running.done).facts).toMatchObject({ cancelled: true, timedOut: false, left: 0 });
  });

  it('ends when its time is up, which is no cancel', async () => {
    const { facts } = await run('echo before; sleep 300', { mode, timeoutMs: 600 });
    expect(facts).toMatchObject({ timedOut: true, cancelled: false, output: { text: 'before\n' } });
  });

  it('leaves it to the caller to end it where the caller wants to know', async () => {
    const up = Promise.withResolvers<void>();
    const running = await begin('sleep 300', { mode, timeoutMs: 300, onTimeout: () => up.resolve() });
    await up.promise;
    expect(isAlive(running.process)).toBe(true);
    await running.close();
    expect((await running.done).facts).toMatchObject({ timedOut: true, cancelled: false });
  });

  it('runs a program without a shell', async () => {
    expect((await run(['printf', '%s|', 'a b', '$HOME'], { mode })).facts).toMatchObject({
      exitCode: 0,
      output: { text: 'a b|$HOME|' },
    });
    expect((await run([join(world.base, 'none')], { mode: 'workspace-write' })).facts).toMatchObject({ exitCode: 127 });
  });
});

describe('output', () => {
  it('1-e: keeps both streams in the order in which they came, with no character cut in two', async () => {
    const seen: string[] = [];
    const program = `const b = Buffer.from('ü€😀'); let i = 0; const t = setInterval(() => { if (i === b.length) return clearInterval(t); process.stdout.write(b.subarray(i, ++i)); if (i === 4) process.stderr.write('|') }, 5)`;
    const { facts } = await run([process.execPath, '-e', program], { onOutput: (_, text) => seen.push(text) });
    expect(facts.output.text.replace('|', '')).toBe('ü€😀');
    expect(seen.join('')).not.toContain('\ufffd');
  });

  it('PRC-5: shows the tail of what is long, and keeps the whole', async () => {
    const { facts } = await run('seq 1 50000');
    expect(facts.output).toMatchObject({ bytes: 288_894, dropped: 0, blob: 'b1' });
    expect(facts.output.text.endsWith('49999\n50000\n')).toBe(true);
    expect(kept.at(-1)?.startsWith('1\n2\n')).toBe(true);
  });

  it('PRC-5: drops and counts what comes after the cap, and shows the very end all the same', async () => {
    const { facts } = await run('seq 1 50000', { outputBytes: 100_000 });
    const { bytes, dropped, text } = facts.output;
    expect({ bytes, end: text.slice(-6) }).toEqual({ bytes: 288_894, end: '50000\n' });
    expect(dropped).toBe(bytes - utf8Bytes(kept.at(-1) ?? '') - utf8Bytes(text));
    expect(facts.exitCode).toBe(0);
  });

  it('holds a flood back instead of keeping it in memory', async () => {
    const before = process.memoryUsage.rss();
    const { facts } = await run('yes', { timeoutMs: 1500 });
    expect(facts.output.bytes).toBeGreaterThan(2 ** 20);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
    expect(facts.output.bytes).toBeLessThan(60 * 2 ** 20 * 3);
  });
});

describe('a start that fails', () => {
  it.each(['missing', 'file', '/tmp/missing'])(
    'SBX-16: says of the working directory %s that it cannot be used, not of the sandbox',
    async (name) => {
      writeFileSync(join(world.workspace, 'file'), '');
      const cwd = name.startsWith('/') ? name : join(world.workspace, name);
      expect(await attempt('echo ran', { cwd })).toMatchObject({
        kind: 'start-failed',
        message: expect.stringContaining(cwd),
      });
    },
  );

  it('SBX-16: runs in a folder of the private temp', async () => {
    await run('mkdir -p /tmp/sub');
    expect((await run('pwd', { cwd: '/tmp/sub' })).facts.output.text).toBe('/tmp/sub\n');
  });

  it('comes back as a failed start when it is given up', async () => {
    const policy = world.policy('read-only');
    const request = { run: { shell: 'true' }, cwd: world.workspace, timeoutMs: 1000 };
    expect(await commands.start(request, { sessionId: session('c1'), policy }, AbortSignal.abort())).toMatchObject({
      kind: 'start-failed',
    });
  });

  it.each<Mode>(['workspace-write', 'danger-full-access'])(
    'runs nothing under %s when it is given up while it comes up, and waits for nobody',
    async (mode) => {
      const name = `${world.base}/given-up-${mode}`;
      const run = { shell: `trap '' TERM; : > given-up-${mode}; sleep 300; : ${name}` };
      const giveUp = new AbortController();
      const confiner: Confiner = Object.create(world.provider, {
        launch: {
          value: (...[request]: Parameters<Confiner['launch']>) => {
            const launched = world.provider.launch(request, giveUp.signal);
            giveUp.abort(new Error('given up'));
            return launched;
          },
        },
      }) as Confiner;
      const here = new ConfinedCommands({ confiner, keep, path: process.env['PATH'] ?? '' });
      const at = { sessionId: session('c1'), policy: world.policy(mode) };
      const started = await here.start({ run, cwd: world.workspace }, at, giveUp.signal);
      expect(started).toMatchObject({ kind: 'start-failed' });
      expect([runningWith(name), existsSync(join(world.workspace, `given-up-${mode}`))]).toEqual([[], false]);
    },
  );

  it('2-f: widens nothing by its working directory', async () => {
    mkdirSync(join(world.outside, 'there'), { recursive: true });
    symlinkSync('/', join(world.workspace, 'up'));
    for (const cwd of ['/', world.outside, world.userHome, `${world.workspace}/up/var/tmp`])
      await run('touch .pwn', { cwd });
    const places = ['/.pwn', '/var/tmp/.pwn', join(world.outside, '.pwn'), join(world.userHome, '.pwn')];
    expect(places.filter((path) => existsSync(path))).toEqual([]);
  });
});

describe('hints of a denial', () => {
  it('SBX-1: names the operation and the path under the Mode', async () => {
    const { hints, facts } = await run('echo x > denied.txt', { mode: 'read-only' });
    expect(facts.exitCode).not.toBe(0);
    expect(hints).toEqual([{ operation: 'write', path: join(world.workspace, 'denied.txt') }]);
  });

  it('SBX-9: names an absolute path and one with .. outside', async () => {
    const { hints } = await run(`touch ${world.outside}/a; touch ../outside/b; exit 1`);
    expect(hints.map(({ path }) => path)).toEqual([join(world.outside, 'a'), join(world.outside, 'b')]);
    expect(existsSync(join(world.outside, 'a'))).toBe(false);
  });

  it('gives none where the command came to its end, died by a signal, or may do everything', async () => {
    expect((await run(`touch ${world.outside}/a; true`)).hints).toEqual([]);
    expect((await run(`touch ${world.outside}/a; kill -KILL $$`)).hints).toEqual([]);
    expect(
      (await run(`echo "touch: cannot touch '/x': Read-only file system"; exit 1`, { mode: 'danger-full-access' }))
        .hints,
    ).toEqual([]);
  });
});

describe('a held command', () => {
  it('is there and does nothing before it is let go, however short it is', async () => {
    const held = await begin('echo began > began.txt; echo $0', { held: true });
    const second = await run('ls began.txt');
    expect([second.facts.exitCode === 0, isAlive(held.process)]).toEqual([false, true]);
    held.go();
    expect(await held.done).toMatchObject({ facts: { exitCode: 0, left: 0 } });
    expect(existsSync(join(world.workspace, 'began.txt'))).toBe(true);
  });

  it.each<Mode>(['workspace-write', 'danger-full-access'])(
    'is the same command under %s once it is let go, with its variables, its input, its length and its end',
    async (mode) => {
      const script = `cat; echo "$GIVEN $go $0 $BASH_EXECUTION_STRING" | wc -c; ls /proc/self/fd | wc -l`;
      for (const more of ['', `; : ${'x'.repeat(120_000)}`]) {
        const asked = { mode, stdin: 'given\n', env: { GIVEN: 'a', go: 'mine' } };
        const plain = await run(`${script}${more}; kill -KILL $$`, asked);
        const held = await begin(`${script}${more}; kill -KILL $$`, { ...asked, held: true });
        held.go();
        const { facts } = await held.done;
        expect(facts.output.text).toMatch(/^given\n\d+\n\d+\n$/);
        expect(facts).toEqual({ ...plain.facts, durationMs: facts.durationMs });
        expect(facts).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
      }
    },
  );

  it.each<Mode>(['workspace-write', 'danger-full-access'])(
    'that is ended under %s before it was let go is gone without the grace of one that runs',
    async (mode) => {
      const held = await begin("trap '' TERM; sleep 300", { mode, held: true });
      const phases: string[] = [];
      expect(await held.close((phase) => void phases.push(phase))).toMatchObject({ ok: true });
      expect(phases).not.toContain('killing');
    },
  );

  it('that is ended before has done nothing, and says how it was ended', async () => {
    const held = await begin('echo never > never.txt', { held: true });
    expect(await held.close()).toMatchObject({ ok: true });
    expect(await held.done).toMatchObject({ facts: { cancelled: true } });
    expect([isAlive(held.process), existsSync(join(world.workspace, 'never.txt'))]).toEqual([false, false]);
  });

  it('whose output is kept by somebody else keeps its tail alone, and met no limit', async () => {
    const heard: string[] = [];
    const before = kept.length;
    const command = await begin('seq 30000; exit 3', {
      keeps: 'tail',
      onOutput: (_stream, text) => void heard.push(text),
    });
    const { facts } = await command.done;
    expect(heard.join('').endsWith('29999\n30000\n')).toBe(true);
    expect(heard.join('').startsWith('1\n2\n')).toBe(true);
    expect([facts.exitCode, facts.limit, facts.output.blob, kept.length]).toEqual([3, undefined, undefined, before]);
    expect(facts.output.bytes).toBe(utf8Bytes(heard.join('')));
    expect(facts.output.text.length).toBeLessThanOrEqual(65_536);
  });
});
