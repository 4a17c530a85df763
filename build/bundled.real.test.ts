import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyBesides } from './bundle/besides.ts';
import { programConfig } from './bundle/programs.ts';
import { write } from './bundle/write.ts';

// The real programs, bundled and taken away from the repository and its packages. A folder in /tmp would be hidden in a
// sandbox, and the scripts of the Environments with it.
const root = dirname(import.meta.dirname);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync('/var/tmp/gatehouse-bundled-');
  const programs = join(folder, 'out/main');
  await write(programConfig(root, programs, 'cli'));
  await write(programConfig(root, programs, 'ptc/parsing'));
  copyBesides(root, programs);
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'workspace'));
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'out/main/cli.cjs'), ...args], {
    cwd: join(folder, 'workspace'),
    env: { PATH: process.env['PATH'], GATEHOUSE_HOME: join(folder, 'home') },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('runs programs, commands and searches without the repository', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = run('run', '--agent', `script:${join(root, 'docs/examples/demo.json')}`);
  expect(stderr).toBe('');
  expect(stdout).toContain('"runs": 2');
  expect(stdout).toContain('gatehouse-demo.txt');
  expect(stdout).toContain('Turn 1 completed');
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'workspace/gatehouse-demo.txt'), 'utf8')).toBe('Written by the demo.\n');
});

it('parses a long program in its thread', { timeout: 60_000 }, () => {
  const script = join(folder, 'long.json');
  const code = `${'var unused;\n'.repeat(10_000)}'parsed ' + (6 * 7)`;
  const calls = [{ id: 'a', tool: 'run_code', input: { title: 'long', code } }];
  writeFileSync(script, JSON.stringify({ answers: [{ calls }, { text: 'Done.' }] }));
  const { status, stdout, stderr } = run('run', '--agent', `script:${script}`);
  expect(stderr).toBe('');
  expect(stdout).toContain('"parsed 42"');
  expect(status).toBe(0);
});

it('finds the locks and the search program beside it', () => {
  const { stdout } = run('doctor');
  expect(stdout).toMatch(/file locks/);
  expect(stdout).toMatch(/ripgrep/);
});
