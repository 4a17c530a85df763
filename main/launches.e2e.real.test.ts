import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Notice } from '../app/contract/pushes.ts';
import { command, createWorld, escalate, program, type World } from './core.fixture.ts';
import { sha256 } from './base/sha256.ts';
import { readProc } from './process/identity.ts';
import { processTable } from './process/tree.ts';
import { until } from './process/until.ts';
import { findProgram } from './sandbox/programs.ts';

// Whole cores start, and what is asked to end may take its grace.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
afterEach(() => world.close());

/** A folder for PATH with the programs that a sandbox needs, `bwrap` being what a test says. */
async function programs(bwrap?: string): Promise<string> {
  const bin = await mkdtemp('/var/tmp/gatehouse-bin-');
  onTestFinished(() => rm(bin, { recursive: true }));
  for (const name of ['nsenter', 'prlimit', 'setpriv']) {
    const path = await findProgram(name, process.env['PATH'] ?? '');
    if (path) await symlink(path, join(bin, name));
  }
  if (bwrap !== undefined) await writeFile(join(bin, 'bwrap'), bwrap, { mode: 0o755 });
  return bin;
}

async function realBwrap(bin: string): Promise<void> {
  await rm(join(bin, 'bwrap'), { force: true });
  await symlink((await findProgram('bwrap', process.env['PATH'] ?? '')) ?? '', join(bin, 'bwrap'));
}

const notices = (): readonly Notice[] => world.pushes.flatMap((push) => (push.push === 'notice' ? [push.data] : []));

describe('3-a: without the sandbox program', () => {
  const POLICIES = ['ask', 'never'] as const;

  it.each(['read-only', 'workspace-write'].flatMap((preset) => POLICIES.map((policy) => [preset, policy] as const)))(
    'nothing runs in %s and %s, by the shell or by a program, and all of it does once it is put back',
    async (preset, policy) => {
      const bin = await programs();
      world = await createWorld({ path: bin });
      const marker = join(world.folder, 'marker');
      const calls = (id: string) => [
        command(`${id}1`, `echo x > ${marker}; echo ran`),
        program(`${id}2`, `try { require('fs').writeFileSync('${marker}', 'x') } catch {} 'ran'`),
      ];
      const session = await world.turns([calls('a'), calls('b')], { preset });
      await world.request('approvalPolicy.set', { sessionId: session.id, policy });
      const before = new Set(processTable().keys());
      const results = await session.turn();
      expect(results).toMatchObject(Array(2).fill({ status: 'refused', code: 'SANDBOX_UNAVAILABLE' }));
      for (const { content } of results) expect(content).toContain('Install the package bubblewrap.');
      expect([existsSync(marker), world.processes()]).toEqual([false, []]);
      expect(
        Array.from(processTable().values()).filter(({ pid, parent }) => !before.has(pid) && parent === process.pid),
      ).toEqual([]);
      await realBwrap(bin);
      const [shell, inProgram] = await session.turn();
      expect(shell).toMatchObject({ status: 'ok' });
      expect(inProgram).toMatchObject({ status: 'ok', value: 'ran' });
      expect(existsSync(marker)).toBe(false);
    },
  );

  it('full access works as ever and is told nothing of a sandbox', async () => {
    world = await createWorld({ path: await programs() });
    const session = await world.turns([[command('a', 'echo free'), program('b', '1 + 1')]], {
      preset: 'danger-full-access',
    });
    expect(await session.turn()).toMatchObject([{ facts: { output: { text: 'free\n' } } }, { value: 2 }]);
    expect(notices()).toEqual([]);
  });
});

describe('3-b: where the system forbids the sandbox', () => {
  const WORDS = 'bwrap: setting up uid map: Permission denied';

  it('20 commands are one notice that says what to do, no question, and no exit code of theirs', async () => {
    const bin = await programs(`#!/bin/sh\necho '${WORDS}' >&2\nexit 1\n`);
    world = await createWorld({ path: bin });
    const calls = Array.from({ length: 20 }, (_, index) =>
      // Some of them would ask a person, if anything could run at all.
      command(`c${index}`, 'echo ran', index % 5 === 4 ? escalate('workspace-write') : {}),
    );
    const session = await world.turns([calls, [command('z', 'echo back')]], { preset: 'read-only' });
    const results = await session.turn();
    expect(results).toHaveLength(20);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'refused', code: 'SANDBOX_UNAVAILABLE' });
      expect(result).not.toHaveProperty('facts');
      expect(result.content).not.toBe(WORDS);
    }
    expect(await session.of('approval/asked')).toEqual([]);
    const [notice, ...more] = notices();
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ sessionId: session.id, level: 'error', code: 'SANDBOX_UNAVAILABLE', detail: WORDS });
    expect(notice?.message).toMatch(/does not let bubblewrap.*(Allow|Ubuntu)/);
    expect(notice?.message).not.toContain('uid map');

    await realBwrap(bin);
    expect(await session.one()).toMatchObject({ status: 'ok', facts: { output: { text: 'back\n' } } });
    expect(notices().slice(1)).toMatchObject([{ noticeId: notice?.noticeId, closed: true }]);
  });

  it('each Session is told by itself, and a door that comes later as well', async () => {
    world = await createWorld({ path: await programs(`#!/bin/sh\necho '${WORDS}' >&2\nexit 1\n`) });
    const sessions = await Promise.all([1, 2].map(() => world.turns([[command('a', 'true')]])));
    for (const session of sessions) await session.turn();
    expect(notices().map(({ sessionId }) => sessionId)).toEqual(sessions.map(({ id }) => id));
    const late: Notice[] = [];
    world.core.onPush((push) => void (push.push === 'notice' && late.push(push.data)))();
    expect(late.map(({ sessionId }) => sessionId)).toEqual(sessions.map(({ id }) => id));
  });
});

describe('3-f: what is very long', () => {
  it.each(['workspace-write', 'danger-full-access'])(
    'a command of 200 KiB, a program of 500 KiB and an app with 1 MiB of variables give their right output under %s',
    async (preset) => {
      const names = Array.from({ length: 300 }, (_, index) => `LONG_${index}`);
      withVariables(Object.fromEntries(names.map((name) => [name, 'x'.repeat(3_500)])));
      world = await createWorld();
      const session = await world.turns(
        [
          [
            command('a', `printf %s '${'x'.repeat(200 * 1024)}' | wc -c`),
            program('b', `const text = '${'y'.repeat(500 * 1024)}'; text.length`),
            command('c', 'env | grep -c ^LONG_; echo ok'),
          ],
        ],
        { preset },
      );
      expect(await session.turn()).toMatchObject([
        { status: 'ok', facts: { exitCode: 0, output: { text: '204800\n' } } },
        { status: 'ok', value: 500 * 1024 },
        { status: 'ok', facts: { exitCode: 0, output: { text: '0\nok\n' } } },
      ]);
    },
  );
});

describe('3-g: the variables of the app', () => {
  const HIDDEN = {
    FAKE_TOKEN: 'value-of-the-token',
    SSH_AUTH_SOCK: '/run/agent-of-the-test',
    DOCKER_HOST: 'unix:///run/docker-of-the-test',
    NODE_OPTIONS: '--no-warnings',
    LD_PRELOAD: 'none-of-the-test.so',
    ELECTRON_RUN_AS_NODE: '1',
  };
  const PASSWORD = 'proxy-password-of-the-test';
  const SHOWN = {
    HTTPS_PROXY: `http://user:${PASSWORD}@proxy.test:3128`,
    https_proxy: `http://user:${PASSWORD}@proxy.test:3128`,
    NO_PROXY: 'localhost,.test',
    no_proxy: 'localhost,.test',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    LANG: 'C.UTF-8',
    TZ: 'Europe/Berlin',
  };

  /** Names, and whether values are right: what is in the log then is what the product put there. Held until `flag` is there. */
  const shellOf = (flag: string, wanted: Wanted) =>
    [
      'ls',
      ...wanted.map(([name, hash]) => `[ "$(printf %s "$${name}" | sha256sum)" = "${hash}  -" ] || echo wrong ${name}`),
      'env | cut -d= -f1; tr "\\0" "\\n" < /proc/1/environ | cut -d= -f1',
      `while [ ! -e ${flag} ]; do sleep 0.02; done; echo ran`,
    ].join('\n');

  const programOf = (nested: string, wanted: Wanted) => `const { createHash } = require('crypto');
    const hash = (text) => createHash('sha256').update(text ?? '').digest('hex');
    const wrong = ${JSON.stringify(wanted)}.filter(([name, value]) => hash(process.env[name]) !== value);
    const { output } = await tools.bash({ command: ${JSON.stringify(nested)} });
    [wrong, Object.keys(process.env), require('fs').readdirSync('.'), output.text]`;

  it.each(['read-only', 'workspace-write'])(
    'under %s reach a shell, a program and a nested call where they are harmless, and no secret is in a log or an argument list',
    async (preset) => {
      withVariables({ ...HIDDEN, ...SHOWN });
      world = await createWorld({ settings: { launch: { network: 'host' } } });
      await writeFile(join(world.workspace, 'ü.txt'), '');
      const values = { ...SHOWN, PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: '/tmp' };
      const wanted = Object.entries(values).map(([name, value]) => [name, sha256(value)] as const);
      const calls = [
        command('a', shellOf('first', wanted)),
        program('b', programOf(shellOf('second', wanted), wanted)),
      ];
      const session = await world.turns([calls], { preset });
      const lists: string[] = [];
      await session.begin();
      for (const flag of ['first', 'second']) {
        expect(await until(() => argumentLists().some((list) => isHeldBy(list, flag)), 15_000)).toBe(true);
        lists.push(...argumentLists());
        await writeFile(join(world.workspace, flag), '');
      }
      await session.idle();
      const [shell, inProgram] = await session.of('tool/result');
      const [wrong, names, files, nested] = (inProgram?.value ?? []) as [string[], string[], string[], string]; // It made it.
      expect([wrong, files]).toEqual([[], expect.arrayContaining(['ü.txt'])]);
      for (const said of [shell?.facts?.output.text ?? '', nested]) {
        expect(said).toMatch(/^(.*\n)*ü\.txt\n(.*\n)*HTTPS_PROXY\n(.*\n)*ran\n$/);
        expect(said).not.toContain('wrong');
        expect(said.split('\n').filter((line) => Object.hasOwn(HIDDEN, line))).toEqual([]);
      }
      expect(names.filter((name) => Object.hasOwn(HIDDEN, name))).toEqual([]);
      const log = await readFile(join(world.home, 'sessions', session.id, 'session.jsonl'), 'utf8');
      expect(lists.filter((list) => list.includes('bwrap')).length).toBeGreaterThanOrEqual(3);
      for (const secret of [HIDDEN.FAKE_TOKEN, PASSWORD]) {
        expect(log).not.toContain(secret);
        expect(lists.filter((list) => list.includes(secret))).toEqual([]);
      }
    },
  );

  /** The command itself, not the launchers around it, which name it too. */
  const isHeldBy = (list: string, flag: string) => /^\S*bash\0/.test(list) && list.includes(`-e ${flag} ]`);
  const argumentLists = () =>
    Array.from(processTable().keys(), (pid) => readProc(pid, 'cmdline') ?? '').filter((list) => list !== '');
});

type Wanted = readonly (readonly [name: string, hash: string])[];

/** For the rest of this test. */
function withVariables(variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
