import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertGone } from '../../main/core.fixture.ts';

const HERE = import.meta.dirname;
const ROOT = dirname(dirname(HERE));

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-example-');
  workspace = join(folder, 'workspace');
});
afterEach(async () => {
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

function node(...args: readonly string[]): Promise<Ran> {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    GATEHOUSE_HOME: join(folder, 'home'),
  };
  return new Promise((resolve) => {
    const told = (fault: ExecFileException | null, out: string, err: string) =>
      resolve({ code: fault ? fault.code : 0, out, err });
    execFile(process.execPath, args, { cwd: ROOT, env, timeout: 50_000, killSignal: 'SIGKILL' }, told);
  });
}

async function run(script: string): Promise<Ran> {
  await mkdir(workspace);
  return node(join(ROOT, 'main', 'cli.ts'), 'run', '--agent', `script:${script}`, '--workspace', workspace);
}

it('the story of a switch goes as it is told, with a real control process', async () => {
  const { code, out, err } = await node(join(HERE, 'switch-policy.mjs'), folder);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/The switch stopped .* \(pid \d+\) at \d+ bytes; everything as promised\.\n$/);
  expect(existsSync(join(folder, 'repo', 'grow.txt'))).toBe(true);
}, 60_000);

it('the demo runs to its end with nobody to answer: exit 0, and what it may not write is not there', async () => {
  const { code, out, err } = await run(join(HERE, 'demo.json'));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('Done.');
  expect(await readFile(join(workspace, 'gatehouse-demo.txt'), 'utf8')).toBe('Written by the demo.\n');
  expect(existsSync(join(folder, 'gatehouse-demo-outside.txt'))).toBe(false);
}, 60_000);

it('a run whose script asks a person is blocked: exit 2, and what was asked for has not happened', async () => {
  const escalate = { to: 'danger-full-access', justification: 'One file outside' };
  const answers = [
    { calls: [{ id: 'a', tool: 'bash', input: { command: 'echo x > ../outside.txt', escalate } }] },
    { text: 'Done.' },
  ];
  const script = join(folder, 'asking.json');
  await writeFile(script, JSON.stringify({ answers }));
  expect(await run(script)).toMatchObject({ code: 2, out: expect.stringContaining('Done.') });
  expect(existsSync(join(folder, 'outside.txt'))).toBe(false);
}, 60_000);
