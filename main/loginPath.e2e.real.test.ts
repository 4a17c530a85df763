import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { assertGone, command, createWorld, goneWithin, processesOf, program, type World } from './core.fixture.ts';
import { loginPath, type LoginPath } from './host/loginPath.ts';
import { readProc, signalTo } from './process/identity.ts';
import { until } from './process/until.ts';

// Whole cores start, and what is asked to end may take its grace.
vi.setConfig({ testTimeout: 60_000 });

const POOR = '/usr/bin:/bin:/usr/sbin:/sbin';

let home: string;
let world: World | undefined;
beforeEach(async () => {
  home = await mkdtemp('/var/tmp/gatehouse-home-');
  await mkdir(join(home, 'tools'));
  await writeFile(join(home, 'tools/mytool'), '#!/bin/sh\necho the tool ran\n', { mode: 0o755 });
});
afterEach(async () => {
  await world?.close();
  world = undefined;
  for (const left of processesOf(home)) signalTo(left, 'SIGKILL');
  await assertGone(home);
  await rm(home, { recursive: true, force: true });
});

/** A core with a poor PATH that asks a real login shell with this profile. */
async function worldWith(profile: string, ms = 60_000) {
  await writeFile(join(home, '.bash_profile'), profile);
  const answered = Promise.withResolvers<LoginPath>();
  const variables = { HOME: home, PATH: POOR };
  const ask = async (signal: AbortSignal) => {
    const answer = await loginPath({ shell: '/bin/bash', variables, ms }, signal);
    answered.resolve(answer);
    return answer;
  };
  const before = process.env['PATH'];
  process.env['PATH'] = POOR;
  try {
    world = await createWorld({ loginPath: ask });
  } finally {
    process.env['PATH'] = before;
  }
  return { world, answered: answered.promise };
}

it.each(['workspace-write', 'danger-full-access'])(
  '3-e: a tool that only the profile adds to PATH runs under %s, by a command and by a program, and nothing else of the profile is there',
  async (preset) => {
    const made = await worldWith(`echo 'a banner'; export SECRET_TEST=1 PATH=${home}/tools:$PATH`);
    expect(await made.answered).toMatchObject({ kind: 'found' });
    const code =
      "[require('child_process').execFileSync('mytool').toString(), process.env.SECRET_TEST ?? 'unset', process.env.PATH]";
    const calls = [command('a', 'mytool; env'), program('b', code)];
    const session = await made.world.turns([calls], { preset });
    const [shell, inProgram] = await session.turn();
    expect(shell).toMatchObject({ status: 'ok', content: expect.stringMatching(/^the tool ran\n/) });
    expect(shell?.content).not.toMatch(/SECRET_TEST|banner/);
    expect(inProgram?.value).toEqual(['the tool ran\n', 'unset', expect.stringMatching(new RegExp(`:${home}/tools$`))]);
  },
);

it('3-e: while a profile takes its time Sessions work without it, and a person is told when it is given up', async () => {
  const made = await worldWith(`sleep 300; export PATH=${home}/tools:$PATH`, 4_000);
  const session = await made.world.turns([[command('a', 'mytool; echo "code $?"')]]);
  expect((await session.one()).facts?.output.text).toMatch(/code 127\n$/);
  const notice = await made.world.until((push) => push.push === 'notice' && push.data);
  expect(notice).toMatchObject({ level: 'warning', code: 'login-path', message: expect.stringContaining('/bin/bash') });
  expect(await goneWithin(home, 5_000)).toEqual([]);
  const late: unknown[] = [];
  made.world.core.onPush((push) => void (push.push === 'notice' && late.push(push.data.code)))();
  expect(late).toEqual(['login-path']);
});

it('3-e: a core that is closed meanwhile does not wait for the profile, and leaves nothing of it', async () => {
  const made = await worldWith('sleep 300');
  expect(await until(() => running('300') === 1, 10_000)).toBe(true);
  await made.world.close();
  expect(running('300')).toBe(0);
});

it('3-e: the browser host asks, offers its window before the profile is done, and ends with it', async () => {
  await writeFile(join(home, '.bash_profile'), 'sleep 301');
  await writeFile(join(home, 'index.html'), '');
  const line = [
    join(import.meta.dirname, 'cli.ts'),
    'serve',
    '--no-open',
    '--socket',
    join(home, 'socket'),
    '--assets',
    home,
  ];
  const env = { ...process.env, HOME: home, SHELL: '/bin/bash', GATEHOUSE_HOME: join(home, 'data') };
  const host = spawn(process.execPath, line, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(host, 'exit');
  try {
    const [link] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
    expect(link).toMatch(/#/);
    expect(await until(() => running('301') === 1, 10_000)).toBe(true);
    host.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await goneWithin(home, 5_000)).toEqual([]);
  } finally {
    host.kill('SIGKILL');
  }
});

/** How many processes of the profile sleep so long. */
function running(seconds: string): number {
  return processesOf(home).filter(({ pid }) => readProc(pid, 'cmdline') === `sleep\0${seconds}\0`).length;
}
