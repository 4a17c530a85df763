import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Push } from '../app/contract/pushes.ts';

// Each test starts several whole processes, one after the other.
vi.setConfig({ testTimeout: 60_000 });

let folder = '';
let workspace = '';
const ends: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  workspace = join(folder, 'workspace');
  await mkdir(workspace);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true, force: true });
});

function gatehouse(...argv: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...argv], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, GATEHOUSE_HOME: join(folder, 'home') },
  });
  ends.push(() => child.kill('SIGKILL'));
  return child;
}

async function call(...argv: string[]) {
  const child = gatehouse(...argv);
  child.stdin.end();
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, out, err };
}

async function script(answers: readonly object[]): Promise<string> {
  const file = join(folder, 'script.json');
  await writeFile(file, JSON.stringify({ answers }));
  return `script:${file}`;
}

const write = { id: 'c1', tool: 'write', input: { path: 'a.txt', content: 'A' } };

it('run does what the script says, tells it, exits 0, and leaves a Session that can be listed, shown and verified', async () => {
  const agent = await script([{ text: 'Writing.', calls: [write] }, { text: 'Done.' }]);
  const ran = await call('run', '--agent', agent, '--workspace', workspace);
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('A');
  const [row] = (await call('sessions', '--json')).out.split('\n');
  const { sessionId } = JSON.parse(row ?? '') as { sessionId: string };
  expect(await call('show', sessionId)).toEqual(ran);
  expect(await call('verify', sessionId)).toMatchObject({ code: 0, err: '' });
});

it('run is blocked, exit 2, when a call asks for an approval that nobody can answer, and nothing of the call ran', async () => {
  const outside = join(folder, 'outside.txt');
  const escalate = { to: 'danger-full-access', justification: 'It is needed' };
  const agent = await script([
    { calls: [{ id: 'c1', tool: 'bash', input: { command: `echo x > ${outside}`, escalate } }] },
    { text: 'Done.' },
  ]);
  const { code, out } = await call('run', 'Hi', '--agent', agent, '--workspace', workspace);
  expect(code).toBe(2);
  expect(out).toContain('approval unavailable (no-answerer)');
  expect(existsSync(outside)).toBe(false);
});

it('run exits 2 when the script is used up, and 1 when the Session cannot be made', async () => {
  const agent = await script([]);
  expect((await call('run', '--agent', agent, '--workspace', workspace)).code).toBe(2);
  const refused = await call('run', '--agent', agent, '--workspace', workspace, '--preset', 'nonsense');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('(unknown-preset)');
});

it('control ends with its input: a running command is gone, its turn is aborted by the shutdown, exit 0', async () => {
  const agent = await script([
    { calls: [{ id: 'c1', tool: 'bash', input: { command: 'echo ready; sleep 1000' } }] },
    { text: 'Done.' },
  ]);
  const child = gatehouse('control');
  const exit = once(child, 'exit');
  const ask = (id: number, request: string, input: object) =>
    child.stdin.write(`${JSON.stringify({ id, request, input })}\n`);
  ask(1, 'session.create', { workspace, agent });
  const pushes: Push[] = [];
  const replies = new Map<unknown, unknown>();
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line) as Push | { id: number; output: { sessionId: string } };
    if ('push' in told) pushes.push(told);
    else replies.set(told.id, told.output);
    if ('id' in told && told.id === 1) {
      ask(2, 'session.prompt', { sessionId: told.output.sessionId, text: 'Go' });
      ask(3, 'session.idle', { sessionId: told.output.sessionId });
    }
    if ('push' in told && told.push === 'output') child.stdin.end();
  }
  expect(await exit).toEqual([0, null]);
  expect(replies.get(3)).toEqual({ reason: 'aborted' });
  const events = pushes.flatMap((push) => (push.push === 'event' ? [push.data.event] : []));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at));
  expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: 'aborted', by: 'shutdown' } });
  const [cleanup] = pushes.flatMap((push) => (push.push === 'cleanup' ? [push.data.cleanup] : []));
  expect(cleanup?.pid).toBeGreaterThan(1);
  expect(await stateOf(cleanup?.pid)).toMatch(/^(gone|Z)$/);
});

/** The state of a process as the system tells it; one that is dead and only unreaped is `Z`. */
async function stateOf(pid: number | undefined): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '0 (gone) gone');
  return /\) (\w+)/.exec(stat)?.[1] ?? 'unknown';
}
