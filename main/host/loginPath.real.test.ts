import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { assertGone, goneWithin, processesOf } from '../core.fixture.ts';
import { signalTo } from '../process/identity.ts';
import { until } from '../process/until.ts';
import { loginPath } from './loginPath.ts';

vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;

let home: string;
beforeEach(async () => (home = await mkdtemp('/var/tmp/gatehouse-login-')));
afterEach(async () => {
  for (const left of processesOf(home)) signalTo(left, 'SIGKILL');
  await assertGone(home);
  await rm(home, { recursive: true, force: true });
});

/** Asks a real login shell whose profile this is. */
async function ask(profile: string, { ms = 30_000, signal = never, shell = '/bin/bash' } = {}) {
  await writeFile(join(home, '.bash_profile'), profile);
  return loginPath({ shell, variables: { HOME: home, PATH: '/usr/bin:/bin' }, ms }, signal);
}

it('3-e: a profile adds folders to PATH, and what else it prints is not in it', async () => {
  const profile =
    "echo 'Welcome to /banner:/of/the/profile'; echo warning >&2; export SECRET_TEST=1 PATH=/opt/tools/bin:$PATH";
  const answer = await ask(profile);
  expect(answer).toEqual({ kind: 'found', path: expect.stringMatching(/^\/opt\/tools\/bin:.*\/usr\/bin/) });
  expect(JSON.stringify(answer)).not.toMatch(/banner|warning|SECRET/);
});

it('3-e: a profile that asks gets no input, and one that looks for a terminal finds none', async () => {
  const profile = 'read -r answer; PATH="$PATH:/answered/$answer"; exec 9</dev/tty && PATH="$PATH:/terminal"';
  expect(await ask(profile)).toEqual({ kind: 'found', path: expect.stringMatching(/:\/answered\/$/) });
});

it('3-e: a profile that takes too long is given up, and ended with all that it has started', async () => {
  const profile = `echo up > ${home}/up; trap '' TERM INT HUP; sleep 300 & sleep 300`;
  const asked = ask(profile, { ms: 1_500 });
  expect(await until(() => existsSync(join(home, 'up')) && processesOf(home).length >= 2, 10_000)).toBe(true);
  expect(await asked).toEqual({ kind: 'late', shell: '/bin/bash', ms: 1_500 });
  expect(await goneWithin(home, 5_000)).toEqual([]);
});

it('3-e: what a profile leaves running holds nothing up, though it has the output open', async () => {
  expect(await ask('sleep 300 & export PATH=/opt/tools/bin')).toMatchObject({ kind: 'found', path: '/opt/tools/bin' });
});

it('3-e: who asks no longer is answered at once, and nothing of the shell is left', async () => {
  const stop = new AbortController();
  const asked = ask(`echo up > ${home}/up; sleep 300`, { signal: stop.signal });
  expect(await until(() => existsSync(join(home, 'up')), 10_000)).toBe(true);
  expect(await readFile(join(home, 'up'), 'utf8')).toBe('up\n');
  stop.abort();
  expect(await asked).toEqual({ kind: 'none' });
  expect(await goneWithin(home, 5_000)).toEqual([]);
});

it.each([
  ['that is not there', '/var/tmp/gatehouse-no-shell'],
  ['that says nothing', '/bin/false'],
  ['without an absolute path', 'bash'],
])('3-e: a shell %s changes nothing', async (_name, shell) => {
  expect(await ask('', { shell })).toEqual({ kind: 'none' });
});
