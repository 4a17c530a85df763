import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Subject } from '../../app/approval/events.ts';
import { TEXT_LIMIT, utf8Bytes, whole } from '../../app/base/text.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { Outcome } from '../../app/tool/result.ts';
import type { Tool } from '../../app/tool/tool.ts';
import { editTool } from '../../app/tool/tools/edit.ts';
import { readTool } from '../../app/tool/tools/read.ts';
import { Snapshots } from '../../app/tool/tools/snapshots.ts';
import { RecordingRun } from '../../app/tool/tools/toolRun.fixture.ts';
import { writeTool } from '../../app/tool/tools/write.ts';
import { sha256 } from '../base/sha256.ts';
import { unifiedDiff } from './diff.ts';
import { confine, freshFolder } from './files.fixture.ts';
import { LocalFiles, type LocalFilesOptions } from './files.ts';

const never = new AbortController().signal;
const noTemp: LocalFilesOptions['tempRoot'] = async () => ({
  kind: 'unavailable',
  code: 'SANDBOX_UNAVAILABLE',
  message: 'no Compartment',
});

/** The three tools over one fresh workspace, and a Session that calls them. */
async function session(mode: Mode = 'workspace-write', options: Partial<LocalFilesOptions> = {}) {
  const workspace = join(await freshFolder(), 'ws');
  await mkdir(workspace);
  const at = await confine(workspace, mode);
  const parts = {
    files: new LocalFiles({ tempRoot: noTemp, ...options }),
    diff: unifiedDiff,
    deniedLine: () => `Denied by the sandbox mode ${mode}.`,
    snapshots: new Snapshots(),
  };
  const run = new RecordingRun(at);
  const call = (tool: Tool, input: unknown): Promise<Outcome> => tool.run(tool.input.parse(input), run, never);
  return {
    workspace,
    at,
    run,
    parts,
    file: (name: string) => join(workspace, name),
    read: (input: unknown) => call(readTool(parts), input),
    write: (input: unknown) => call(writeTool(parts), input),
    edit: (input: unknown) => call(editTool(parts), input),
    plan: (path: string) => writeTool(parts).plan({ path, content: 'x' }, at, never),
  };
}

/** A change as a person was shown it. */
function shown(path: string, before: string, after: string): Subject {
  return { kind: 'file', path, exists: before !== '', diff: whole(unifiedDiff(path, before, after)) };
}

describe('read', () => {
  it('gives the text as it is, with what it is of the file', async () => {
    const { file, read } = await session();
    await writeFile(file('f'), 'one\r\ntwo\n\nfour');
    expect(await read({ path: 'f' })).toEqual({
      status: 'ok',
      content: 'one\r\ntwo\n\nfour',
      value: { text: 'one\r\ntwo\n\nfour', from: 1, to: 4, lines: 4, bytes: 14, truncated: false },
    });
    expect(await read({ path: 'f', offset: 2, limit: 2 })).toMatchObject({
      content: 'two\n\n',
      value: { from: 2, to: 3, lines: 4, truncated: true },
    });
  });

  it.each([
    ['', {}, { text: '', from: 1, to: 0, lines: 0, truncated: false }],
    ['a\n', {}, { text: 'a\n', from: 1, to: 1, lines: 1, truncated: false }],
    ['a\nb\n', { offset: 2 }, { text: 'b\n', from: 2, to: 2, lines: 2, truncated: false }],
    ['a\n', { offset: 5 }, { text: '', from: 5, to: 4, lines: 1, truncated: false }],
  ])('counts the lines of %j for %j', async (text, asked, expected) => {
    const { file, read } = await session();
    await writeFile(file('f'), text);
    expect((await read({ path: 'f', ...asked })).value).toMatchObject(expected);
  });

  it('stops at the last whole line that fits, says so, and goes on from there', async () => {
    const { file, read } = await session();
    const text = `${'x'.repeat(999)}\n`.repeat(100);
    await writeFile(file('f'), text);
    const first = (await read({ path: 'f' })).value as { text: string; to: number; truncated: boolean };
    expect(first).toMatchObject({ to: 65, truncated: true });
    expect((await read({ path: 'f' })).content).toContain('offset 66');
    const rest = (await read({ path: 'f', offset: first.to + 1 })).value as { text: string };
    expect(first.text + rest.text).toBe(text);
  });

  it.each([-2, -1, 0, 1])('1-e: cuts no emoji in half when a line reaches the limit %i', async (more) => {
    const { file, read } = await session();
    await writeFile(file('f'), `${'x'.repeat(TEXT_LIMIT + more)}😀😀`);
    const { text } = (await read({ path: 'f' })).value as { text: string };
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('�');
    expect(utf8Bytes(text)).toBeLessThanOrEqual(TEXT_LIMIT);
    expect(utf8Bytes(text)).toBeGreaterThan(TEXT_LIMIT - 4);
  });

  it('answers with a code where there is no text', async () => {
    const { file, read, workspace, run } = await session();
    await writeFile(file('binary'), 'a\0b');
    await truncate(file('binary'), 100);
    await writeFile(file('big'), '');
    await truncate(file('big'), 11 * 1024 * 1024);
    expect(await read({ path: 'binary' })).toMatchObject({ status: 'failed', code: 'binary' });
    expect(await read({ path: 'big' })).toMatchObject({ status: 'failed', code: 'invalid-input' });
    expect(await read({ path: 'none' })).toMatchObject({ status: 'failed', code: 'not-found' });
    expect(await read({ path: '.' })).toMatchObject({ status: 'failed', code: 'invalid-input' });
    await rm(workspace, { recursive: true });
    expect(await read({ path: 'f' })).toMatchObject({ status: 'refused', code: 'workspace-missing' });
    expect(run.seen.size).toBe(0);
  });

  it('2-e: names the file that looks the same', async () => {
    const { file, read } = await session();
    await writeFile(file('a\u0308'), 'x');
    expect(await read({ path: '\u00e4' })).toMatchObject({
      code: 'not-found',
      content: expect.stringContaining('a\u0308 exists and looks the same') as string,
    });
  });
});

describe('write', () => {
  it('SBX-10: writes only where it was judged, and where a person was asked, although a link was changed since', async () => {
    const { file, run, write, edit, read, plan } = await session();
    for (const folder of ['one', 'two']) await mkdir(file(folder));
    await symlink('one', file('link'));
    run.writes = (await plan('link/f')).writes;
    await rm(file('link'));
    await symlink('two', file('link'));
    expect(await write({ path: 'link/f', content: 'x' })).toMatchObject({ status: 'refused', code: 'denied' });
    await writeFile(file('two/f'), 'old');
    await read({ path: 'two/f' });
    expect(await edit({ path: 'link/f', old: 'old', new: 'x' })).toMatchObject({ status: 'refused', code: 'denied' });
    run.writes = (await plan('link/f')).writes;
    run.approved = shown(file('one/f'), '', 'x');
    expect(await write({ path: 'link/f', content: 'x' })).toMatchObject({ status: 'refused', code: 'denied' });
    expect([await readdir(file('one')), await readFile(file('two/f'), 'utf8')]).toEqual([[], 'old']);
  });

  it('makes a file, knows it from then on, and replaces it', async () => {
    const { file, write, run } = await session();
    expect(await write({ path: 'a/f', content: 'one' })).toMatchObject({
      status: 'ok',
      value: { path: file('a/f'), created: true, bytes: 3, sha256: sha256('one') },
    });
    expect(run.seen.get(file('a/f'))).toBe(sha256('one'));
    const again = await write({ path: file('a/f'), content: 'two' });
    expect(again).toMatchObject({ status: 'ok', value: { created: false } });
    expect(again).not.toHaveProperty('receipt');
    expect(await readFile(file('a/f'), 'utf8')).toBe('two');
  });

  it('refuses a file that exists and was never read, whatever it holds', async () => {
    const { file, write, read } = await session();
    await writeFile(file('f'), 'theirs');
    expect(await write({ path: 'f', content: 'theirs' })).toMatchObject({ status: 'refused', code: 'not-read' });
    await read({ path: 'f', limit: 1 });
    expect(await write({ path: 'f', content: 'mine' })).toMatchObject({ status: 'ok' });
  });

  it('refuses a file that changed since, and shows what changed', async () => {
    const { file, write, read, run } = await session();
    await writeFile(file('f'), 'one\ntwo\n');
    await read({ path: 'f' });
    await writeFile(file('f'), 'one\n2\n');
    const refusal = await write({ path: 'f', content: 'mine' });
    expect(refusal).toMatchObject({ status: 'refused', code: 'stale' });
    expect(refusal.content).toContain('-two\n+2');
    expect(await readFile(file('f'), 'utf8')).toBe('one\n2\n');
    expect(run.seen.get(file('f'))).toBe(sha256('one\ntwo\n'));
  });

  it('refuses a file that changes at the very last moment', async () => {
    let swap: () => Promise<void> = async () => undefined;
    const { file, write, edit, read } = await session('workspace-write', { beforeRename: () => swap() });
    await writeFile(file('f'), 'one\n');
    await read({ path: 'f' });
    swap = () => writeFile(file('f'), 'theirs\n');
    expect(await write({ path: 'f', content: 'mine' })).toMatchObject({
      code: 'stale',
      content: expect.stringContaining('-one\n+theirs') as string,
    });
    await read({ path: 'f' });
    swap = () => rm(file('f'));
    expect(await edit({ path: 'f', old: 'theirs', new: 'mine' })).toMatchObject({
      code: 'stale',
      content: expect.stringContaining('no longer exists') as string,
    });
    expect(await readdir(file('.'))).toEqual([]);
  });

  it('may make a file anew that it knew and that is gone', async () => {
    const { file, write } = await session();
    await write({ path: 'f', content: 'one' });
    await rm(file('f'));
    expect(await write({ path: 'f', content: 'two' })).toMatchObject({ value: { created: true } });
  });

  it('keeps line endings, byte-order mark and permissions', async () => {
    const { file, write, read } = await session();
    await writeFile(file('f'), '\ufeffone\r\ntwo\r\n');
    await chmod(file('f'), 0o640);
    await read({ path: 'f' });
    await write({ path: 'f', content: 'a\nb\n' });
    expect(await readFile(file('f'), 'utf8')).toBe('\ufeffa\r\nb\r\n');
    expect((await stat(file('f'))).mode & 0o777).toBe(0o640);
  });

  it('says before it runs what it would write', async () => {
    const { file, plan, parts, at } = await session();
    expect(await plan('a/../b')).toEqual({ writes: [file('b')] });
    expect(await plan('/tmp/x')).toEqual({ writes: 'none' });
    await writeFile(file('f'), 'one\r\n');
    const input = { path: 'f', content: 'two\n' };
    expect(await writeTool(parts).subject(input, at, never)).toMatchObject({
      kind: 'file',
      path: file('f'),
      exists: true,
      diff: { text: expect.stringContaining('-one\r\n+two\r\n') as string },
    });
    expect(await writeTool(parts).subject({ path: 'g', content: 'x' }, at, never)).toMatchObject({ exists: false });
  });

  it.each<[Mode, string]>([
    ['read-only', 'f'],
    ['workspace-write', '../f'],
  ])('is refused in %s before it runs, with the Mode named', async (mode, path) => {
    const { file, plan } = await session(mode);
    const { writes, refusal } = await plan(path);
    expect(writes).toBe('none');
    expect(refusal).toMatchObject({
      status: 'refused',
      code: 'denied',
      denied: [{ operation: 'write', path: join(file('.'), path), mode, certain: true }],
    });
    expect(refusal?.content).toContain(`sandbox mode ${mode}`);
  });

  it('SBX-8: denies a write through a link that leads out, before it runs and when it runs', async () => {
    const { file, plan, write } = await session();
    const outside = await freshFolder();
    await writeFile(join(outside, 'old'), 'old');
    await symlink(outside, file('out'));
    for (const path of ['out/old', 'out/new']) {
      expect(await plan(path)).toMatchObject({ refusal: { code: 'denied' } });
      expect(await write({ path, content: 'x' })).toMatchObject({ status: 'refused' });
    }
    expect(await readdir(outside)).toEqual(['old']);
    expect(await readFile(join(outside, 'old'), 'utf8')).toBe('old');
  });

  it('ESC-8: lands exactly the approved change under the wider Mode, and leaves a receipt', async () => {
    const { parts, workspace, plan } = await session('read-only');
    expect(await plan('f')).toMatchObject({ refusal: { code: 'denied' } });
    const at = await confine(workspace, 'workspace-write');
    const run = new RecordingRun(at, { approvalId: 'a_1', standing: 'read-only' });
    const done = await writeTool(parts).run({ path: 'f', content: 'x' }, run, never);
    expect(done.receipt).toMatchObject({
      approvalId: 'a_1',
      path: join(workspace, 'f'),
      after: sha256('x'),
      mode: 'workspace-write',
      releasedBeforeReturn: true,
      standing: 'none',
    });
    expect(done.receipt).not.toHaveProperty('before');
    const edited = await editTool(parts).run({ path: 'f', old: 'x', new: 'y', replaceAll: false }, run, never);
    expect(edited.receipt).toMatchObject({ before: sha256('x'), after: sha256('y') });
    expect(await readdir(workspace)).toEqual(['f']);
    expect(await readFile(join(workspace, 'f'), 'utf8')).toBe('y');
    expect(await plan('f')).toMatchObject({ refusal: { code: 'denied' } });
  });

  it('is stale, though the Session knows the file, when it is no longer the one whose change a person was shown', async () => {
    const { file, run, read, write, edit } = await session();
    await writeFile(file('f'), 'one two');
    run.approved = shown(file('f'), 'one two', 'three two');
    await writeFile(file('f'), 'one, then two');
    await read({ path: 'f' });
    for (const done of [
      await write({ path: 'f', content: 'three two' }),
      await edit({ path: 'f', old: 'one', new: 'three' }),
    ]) {
      expect(done).toMatchObject({
        status: 'refused',
        code: 'stale',
        content: expect.stringContaining('was shown') as string,
      });
    }
    expect(await readFile(file('f'), 'utf8')).toBe('one, then two');
    run.approved = shown(file('f'), 'one, then two', 'three, then two');
    expect(await edit({ path: 'f', old: 'one', new: 'three' })).toMatchObject({ status: 'ok' });
  });

  it('takes no content that could not be read again', async () => {
    const { write } = await session();
    await expect((async () => write({ path: 'f', content: 'x'.repeat(10 * 1024 * 1024 + 1) }))()).rejects.toThrow(
      '10 MiB',
    );
  });
});

describe('edit', () => {
  it('replaces what matches once, and shows the difference', async () => {
    const { file, edit, read, run } = await session();
    await writeFile(file('f'), 'one\r\ntwo\r\n');
    await read({ path: 'f' });
    const done = await edit({ path: 'f', old: 'two\n', new: 'zwei\ndrei\n' });
    const text = 'one\r\nzwei\r\ndrei\r\n';
    expect(done.value).toMatchObject({ path: file('f'), replacements: 1, sha256: sha256(text) });
    expect((done.value as { diff: string }).diff).toContain('-two');
    expect(await readFile(file('f'), 'utf8')).toBe(text);
    expect(run.seen.get(file('f'))).toBe(sha256(text));
  });

  it('replaces every match with replaceAll', async () => {
    const { file, edit, write } = await session();
    await write({ path: 'f', content: 'a a a' });
    expect(await edit({ path: 'f', old: 'a', new: 'b', replaceAll: true })).toMatchObject({
      value: { replacements: 3 },
    });
    expect(await readFile(file('f'), 'utf8')).toBe('b b b');
  });

  it('writes nothing when it cannot be made, and says why', async () => {
    const { file, edit, write } = await session();
    await write({ path: 'f', content: 'a a' });
    expect(await edit({ path: 'f', old: 'b', new: 'c' })).toMatchObject({ status: 'failed', code: 'not-found' });
    expect(await edit({ path: 'f', old: 'a', new: 'c' })).toMatchObject({ status: 'failed', code: 'not-unique' });
    expect(await edit({ path: 'g', old: 'a', new: 'c' })).toMatchObject({ status: 'failed', code: 'not-found' });
    await writeFile(file('bin'), 'a\0');
    expect(await edit({ path: 'bin', old: 'a', new: 'c' })).toMatchObject({ status: 'failed', code: 'binary' });
    await writeFile(file('unread'), 'a');
    expect(await edit({ path: 'unread', old: 'a', new: 'c' })).toMatchObject({ status: 'refused', code: 'not-read' });
    await writeFile(file('f'), 'a b');
    expect(await edit({ path: 'f', old: 'b', new: 'c' })).toMatchObject({ status: 'refused', code: 'stale' });
    expect(await readFile(file('f'), 'utf8')).toBe('a b');
  });

  it('shows a person the very change', async () => {
    const { file, parts, at } = await session();
    await writeFile(file('f'), 'one\n');
    const asked = { path: 'f', old: 'one', new: 'two', replaceAll: false };
    expect(await editTool(parts).subject(asked, at, never)).toMatchObject({
      path: file('f'),
      exists: true,
      diff: { text: expect.stringContaining('-one\n+two') as string, dropped: 0 },
    });
  });
});
