import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tailOf, utf8Bytes } from '../../app/base/text.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';
import type { Outcome } from '../../app/tool/result.ts';
import type { Tool } from '../../app/tool/tool.ts';
import { bashTool } from '../../app/tool/tools/bash.ts';
import { globTool } from '../../app/tool/tools/glob.ts';
import { grepTool } from '../../app/tool/tools/grep.ts';
import { Snapshots } from '../../app/tool/tools/snapshots.ts';
import { RecordingRun } from '../../app/tool/tools/toolRun.fixture.ts';
import { writeTool } from '../../app/tool/tools/write.ts';
import { ConfinedCommands } from '../commands/commands.ts';
import { ripgrepPath } from '../native.ts';
import { Bubblewrap } from '../sandbox/bubblewrap.ts';
import { unifiedDiff } from './diff.ts';
import { confine, freshFolder } from './files.fixture.ts';
import { LocalFiles } from './files.ts';

const never = new AbortController().signal;

// One sandbox for all tests here: its Compartment is the Session's, and the Session is the same one.
let home: string;
let sandbox: Bubblewrap;

beforeAll(async () => {
  home = await mkdtemp('/var/tmp/gatehouse-home-');
  sandbox = new Bubblewrap({
    home,
    instance: 'test',
    runtime: [dirname(ripgrepPath())],
    variables: process.env,
    userHome: homedir(),
  });
});

afterAll(async () => {
  await sandbox.close();
  await rm(home, { recursive: true, force: true });
});

async function session(mode: Mode = 'workspace-write', more: Partial<LaunchSettings> = {}, parent = '/var/tmp') {
  const folder = await freshFolder(parent);
  const workspace = join(folder, 'project');
  await mkdir(workspace);
  await mkdir(join(folder, 'project-evil'));
  const at = await confine(workspace, mode, more);
  const files = new LocalFiles({ tempRoot: ({ sessionId, policy }) => sandbox.tempRoot(sessionId, policy, never) });
  const keep = async (_id: unknown, text: string) => ({ text: tailOf(text), bytes: utf8Bytes(text), dropped: 0 });
  const commands = new ConfinedCommands({ confiner: sandbox, keep, path: process.env['PATH'] ?? '' });
  const deniedLine = () => `Denied by the sandbox mode ${mode}.`;
  const ripgrep = { commands, rgPath: ripgrepPath() };
  const run = new RecordingRun(at);
  const call = (tool: Tool, input: unknown): Promise<Outcome> => tool.run(tool.input.parse(input), run, never);
  const parts = { files, diff: unifiedDiff, deniedLine, snapshots: new Snapshots() };
  return {
    folder,
    workspace,
    at,
    run,
    put: async (files: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(workspace, name)), { recursive: true });
        await writeFile(join(workspace, name), text);
      }
    },
    bash: (input: unknown) => call(bashTool({ commands, files, deniedLine }), input),
    glob: (input: unknown) => call(globTool(files, ripgrep), input),
    grep: (input: unknown) => call(grepTool(files, ripgrep), input),
    write: (input: unknown) => call(writeTool(parts), input),
  };
}

describe('bash', () => {
  it.each(['read-only', 'workspace-write', 'danger-full-access'] as const)(
    '3-d: tells signals from exit codes in %s',
    async (mode) => {
      const { bash } = await session(mode);
      const killed = await bash({ command: 'kill -KILL $$' });
      expect(killed).toMatchObject({ status: 'failed', facts: { signal: 'SIGKILL', exitCode: 137 } });
      expect(killed.content).toContain('killed by SIGKILL');
      const ended = await bash({ command: 'kill -TERM $$' });
      expect(ended).toMatchObject({ status: 'failed', facts: { signal: 'SIGTERM', exitCode: 143 } });
      expect(ended.content).not.toContain('SIGKILL');
      const left = await bash({ command: 'exit 137' });
      expect(left).toMatchObject({ status: 'ok', facts: { signal: null, exitCode: 137 } });
      expect(left.content).not.toContain('killed');
      expect(await bash({ command: 'exit 0' })).toMatchObject({ status: 'ok', facts: { signal: null, exitCode: 0 } });
    },
  );

  it('2-a: writes to no sibling, with the shell as with the file tool', async () => {
    const { folder, workspace, bash, write } = await session();
    const evil = join(folder, 'project-evil');
    for (const path of ['../project-evil/x', `${evil}/x`, `${workspace}/../project-evil/x`]) {
      const denied = await bash({ command: `echo x > '${path}'` });
      expect(denied.facts?.exitCode).not.toBe(0);
      expect(denied.denied).toContainEqual(expect.objectContaining({ path: `${evil}/x`, certain: false }));
      expect(await write({ path, content: 'x' })).toMatchObject({ status: 'refused', code: 'denied' });
    }
    expect(await readdir(evil)).toEqual([]);
  });

  it('2-f: is widened by no working folder, also not through a link', async () => {
    const { workspace, bash, run } = await session();
    await symlink('/', join(workspace, 'up'));
    for (const cwd of ['/', homedir(), '..', 'up/tmp/..', 'up']) {
      expect(await bash({ command: 'touch .pwn', cwd })).toMatchObject({ code: 'denied' });
    }
    expect(run.tracked).toEqual([]);
    expect(await readdir('/')).not.toContain('.pwn');
    // Through the link lies the private temp, which is the Session's own.
    expect(await bash({ command: 'touch .pwn; pwd', cwd: 'up/tmp' })).toMatchObject({ content: '/tmp' });
    expect(await readdir('/tmp')).not.toContain('.pwn');
    expect(await readdir(workspace)).toEqual(['up']);
  });

  it('SBX-13: runs in the folder that `link/..` really is', async () => {
    const { workspace, bash } = await session();
    await mkdir(join(workspace, 'deep/er'), { recursive: true });
    await symlink('deep/er', join(workspace, 'link'));
    expect(await bash({ command: 'pwd; touch here', cwd: 'link/..' })).toMatchObject({
      content: join(workspace, 'deep'),
    });
    expect((await readdir(join(workspace, 'deep'))).toSorted()).toEqual(['er', 'here']);
  });

  it('SBX-16: is a plain start error in a folder that is none', async () => {
    const { bash } = await session();
    expect(await bash({ command: 'x', cwd: 'none' })).toMatchObject({ status: 'failed', code: 'not-found' });
  });

  it('is ended when its time is up, with what it printed', async () => {
    const { bash, run } = await session();
    const done = await bash({ command: 'echo before; sleep 300', timeoutMs: 500 });
    expect(done).toMatchObject({ status: 'failed', code: 'timeout', facts: { timedOut: true } });
    expect(done.content).toContain('before');
    expect(run.ended).toEqual([{ kind: 'limit' }]);
  });

  it('2-g: says that the workspace folder is missing, and nothing of the shell', async () => {
    const { workspace, bash, glob, grep } = await session();
    await rm(workspace, { recursive: true });
    for (const done of [await bash({ command: 'x' }), await glob({ pattern: '*' }), await grep({ pattern: 'x' })]) {
      expect(done).toMatchObject({ status: 'refused', code: 'workspace-missing' });
      expect(done.content).toContain(workspace);
    }
  });

  it('1-e: prints the tail of a long output with whole characters', async () => {
    const { bash } = await session();
    for (const more of [-2, -1, 0, 1]) {
      const { content } = await bash({ command: `head -c ${65536 + more} /dev/zero | tr '\\0' x; printf '😀😀'` });
      expect(content.isWellFormed()).toBe(true);
      expect(content).not.toContain('�');
      expect(content.endsWith('😀😀')).toBe(true);
    }
  });

  it('shares its /tmp with the file tools', async () => {
    const { bash, write } = await session();
    expect(await write({ path: '/tmp/shared/f', content: 'from the tool' })).toMatchObject({ status: 'ok' });
    expect(await bash({ command: 'cat /tmp/shared/f && ln -s /etc/gatehouse-test /tmp/shared/out' })).toMatchObject({
      content: 'from the tool',
    });
    expect(await write({ path: '/tmp/shared/out', content: 'x' })).toMatchObject({ code: 'denied' });
  });
});

describe('glob', () => {
  it('lists files of the workspace, sorted, without what is ignored or .git', async () => {
    const { put, glob } = await session('read-only');
    await put({
      '.gitignore': '*.log\nbuild/\n',
      'b.ts': '',
      'a/c.ts': '',
      'x.log': '',
      'build/d.ts': '',
      '.git/e.ts': '',
      '.github/f.ts': '',
    });
    expect((await glob({ pattern: '**/*' })).value).toEqual({
      paths: ['.github/f.ts', '.gitignore', 'a/c.ts', 'b.ts'],
      truncated: false,
    });
    expect((await glob({ pattern: '*.ts', limit: 2 })).value).toEqual({
      paths: ['.github/f.ts', 'a/c.ts'],
      truncated: true,
    });
    expect((await glob({ pattern: '*.ts', path: 'a' })).value).toEqual({ paths: ['a/c.ts'], truncated: false });
    expect((await glob({ pattern: '*.log' })).value).toEqual({ paths: [], truncated: false });
    expect(await glob({ pattern: '*', path: 'none' })).toMatchObject({ status: 'failed', code: 'not-found' });
  });

  it('does not see what is hidden', async () => {
    const { folder, workspace, put } = await session();
    await put({ 'secret/key': 'k', 'open/key': 'k' });
    const hidden = await session('workspace-write', { hide: [join(workspace, 'secret')] });
    expect(await hidden.glob({ pattern: 'key', path: workspace })).toMatchObject({
      value: { paths: [join(workspace, 'open/key')] },
    });
    expect(await hidden.glob({ pattern: '*', path: join(workspace, 'secret') })).toMatchObject({ code: 'denied' });
    expect(await hidden.grep({ pattern: 'k', path: folder })).toMatchObject({
      value: { matches: [{ path: join(workspace, 'open/key') }] },
    });
  });

  it('works in a workspace below /tmp', async () => {
    const { put, glob } = await session('read-only', {}, '/tmp');
    await put({ 'a/b.ts': '' });
    expect(await glob({ pattern: '*.ts' })).toMatchObject({ content: 'a/b.ts' });
  });
});

describe('grep', () => {
  it('finds lines with their place', async () => {
    const { put, grep } = await session('read-only');
    await put({
      'b.txt': 'one\nTwo\nthree\n',
      'a/c.ts': 'two\n',
      '.gitignore': 'x*\n',
      'x.txt': 'two\n',
      bin: 'two\0',
    });
    expect((await grep({ pattern: 'two', ignoreCase: true })).value).toEqual({
      matches: [
        { path: 'a/c.ts', line: 1, text: 'two' },
        { path: 'b.txt', line: 2, text: 'Two' },
      ],
      truncated: false,
    });
    expect(await grep({ pattern: 'Two', context: 1 })).toMatchObject({
      content: 'b.txt-1-one\nb.txt:2:Two\nb.txt-3-three',
    });
    expect((await grep({ pattern: 't', glob: '*.txt', limit: 1 })).value).toEqual({
      matches: [{ path: 'b.txt', line: 3, text: 'three' }],
      truncated: false,
    });
    expect(await grep({ pattern: '[a-z]', limit: 1 })).toMatchObject({ value: { truncated: true } });
    expect((await grep({ pattern: 'two', path: 'x.txt' })).value).toMatchObject({
      matches: [{ path: 'x.txt', line: 1 }],
    });
  });

  it('takes a literal for what it is, and gives the message back for a bad pattern', async () => {
    const { put, grep } = await session('read-only');
    await put({ f: 'a(b\n' });
    expect(await grep({ pattern: 'a(b', literal: true })).toMatchObject({ value: { matches: [{ line: 1 }] } });
    expect(await grep({ pattern: 'a(b' })).toMatchObject({
      status: 'failed',
      code: 'invalid-input',
      content: expect.stringContaining('unclosed group') as string,
    });
    expect(await grep({ pattern: 'nothing' })).toMatchObject({ status: 'ok', content: 'No matches.' });
  });

  it('leaves nothing in the workspace', async () => {
    const { workspace, put, grep } = await session();
    await put({ f: 'x' });
    await grep({ pattern: 'x' });
    expect(await readdir(workspace)).toEqual(['f']);
    expect(await readFile(join(workspace, 'f'), 'utf8')).toBe('x');
  });
});
