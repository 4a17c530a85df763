import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Confinement, FileWritten } from '../../app/tool/ports.ts';
import { READ_LIMIT } from './content.ts';
import { confine, freshFolder } from './files.fixture.ts';
import { LocalFiles } from './files.ts';

const never = new AbortController().signal;
const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const unavailable = { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'no Compartment' } as const;
const noTemp = async () => unavailable;
const files = new LocalFiles({ tempRoot: noTemp });

const put = (path: string, content: string, at: Confinement, expected: string | null = null) =>
  files.replace({ path, content, expected }, at, never);

async function written(path: string, content: string, at: Confinement, expected?: string | null): Promise<FileWritten> {
  const done = await put(path, content, at, expected);
  if (done.kind !== 'written') throw new Error(`Not written: ${JSON.stringify(done)}`);
  return done;
}

async function workspaceBesideOutside() {
  const folder = await freshFolder();
  const [workspace, outside] = [join(folder, 'project'), join(folder, 'project-evil')];
  await mkdir(workspace);
  await mkdir(outside);
  return { folder, workspace, outside, at: await confine(workspace) };
}

describe('writing', () => {
  it('makes a file with its folders and says what it did', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    const done = await written('a/b/c.txt', 'täxt', at);
    expect(done).toEqual({
      kind: 'written',
      place: { kind: 'host', path: join(workspace, 'a/b/c.txt') },
      created: true,
      bytes: 5,
      sha256: sha('täxt'),
    });
    expect(await readFile(join(workspace, 'a/b/c.txt'), 'utf8')).toBe('täxt');
    expect(await readdir(join(workspace, 'a/b'))).toEqual(['c.txt']);
  });

  it('replaces a file that is as expected, and keeps its permissions and byte-order mark', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    const file = join(workspace, 'run.sh');
    await writeFile(file, '\ufeffold');
    await chmod(file, 0o751);
    const done = await written('run.sh', 'new', at, sha('\ufeffold'));
    expect(done).toMatchObject({ created: false, before: sha('\ufeffold'), sha256: sha('\ufeffnew'), bytes: 6 });
    expect(await readFile(file, 'utf8')).toBe('\ufeffnew');
    expect((await stat(file)).mode & 0o7777).toBe(0o751);
  });

  it('keeps the owner of a file', async () => {
    const { workspace } = await workspaceBesideOutside();
    const file = join(workspace, 'theirs');
    await writeFile(file, 'old');
    execFileSync('chown', ['12345:12346', file]);
    await written('theirs', 'new', await confine(workspace), sha('old'));
    expect(await stat(file)).toMatchObject({ uid: 12345, gid: 12346 });
  });

  it('gives a new file the permissions that any program would', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await written('new', 'x', at);
    await writeFile(join(workspace, 'other'), 'x');
    expect((await stat(join(workspace, 'new'))).mode).toBe((await stat(join(workspace, 'other'))).mode);
  });

  it('takes `~` for a name', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await written('~/x', 'x', at);
    expect(await readdir(join(workspace, '~'))).toEqual(['x']);
  });

  it('refuses to make a file that exists, and to replace one that is gone or another, and tells what is there', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await writeFile(join(workspace, 'f'), 'mine');
    expect(await put('f', 'x', at)).toMatchObject({ kind: 'stale', now: { text: 'mine', sha256: sha('mine') } });
    expect(await put('f', 'x', at, sha('other'))).toMatchObject({ kind: 'stale', now: { text: 'mine' } });
    expect(await put('deep/g', 'x', at, sha('gone'))).toMatchObject({ kind: 'stale', now: undefined });
    expect(await readFile(join(workspace, 'f'), 'utf8')).toBe('mine');
    expect(await readdir(workspace)).toEqual(['f']);
  });

  it('notices a change that comes after the content was written, and leaves nothing behind', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await writeFile(join(workspace, 'f'), 'seen');
    const slow = new LocalFiles({ tempRoot: noTemp, beforeRename: () => writeFile(join(workspace, 'f'), 'theirs') });
    const write = { path: 'f', content: 'ours', expected: sha('seen') };
    expect(await slow.replace(write, at, never)).toMatchObject({ kind: 'stale', now: { text: 'theirs' } });
    expect(await readFile(join(workspace, 'f'), 'utf8')).toBe('theirs');
    expect(await readdir(workspace)).toEqual(['f']);
  });

  it.each(['beforeRename', 'beforeName'] as const)(
    'does not replace a new file that somebody else makes (%s)',
    async (hook) => {
      const { workspace, at } = await workspaceBesideOutside();
      const slow = new LocalFiles({ tempRoot: noTemp, [hook]: () => writeFile(join(workspace, 'f'), 'theirs') });
      const done = await slow.replace({ path: 'f', content: 'ours', expected: null }, at, never);
      expect(done).toMatchObject({ kind: 'stale', now: { text: 'theirs' } });
      expect(await readFile(join(workspace, 'f'), 'utf8')).toBe('theirs');
      expect(await readdir(workspace)).toEqual(['f']);
    },
  );

  it('stops before the rename when it is cancelled, and leaves nothing behind', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    const controller = new AbortController();
    const reason = new Error('stop');
    const slow = new LocalFiles({ tempRoot: noTemp, beforeRename: async () => controller.abort(reason) });
    await expect(slow.replace({ path: 'f', content: 'x', expected: null }, at, controller.signal)).rejects.toBe(reason);
    expect(await readdir(workspace)).toEqual([]);
  });

  it('cannot be told to write through a folder, a pipe or a file as a folder', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'folder'));
    await writeFile(join(workspace, 'file'), '');
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    expect(await put('folder', 'x', at)).toMatchObject({ kind: 'not-a-file' });
    expect(await put('pipe', 'x', at)).toMatchObject({ kind: 'not-a-file' });
    expect(await put('file/x', 'x', at)).toMatchObject({ kind: 'not-found' });
  });
});

describe('staying inside', () => {
  it('2-a: denies a sibling with the same prefix by every spelling, and allows the long way round', async () => {
    const { folder, workspace, outside, at } = await workspaceBesideOutside();
    for (const path of ['../project-evil/x', `${outside}/x`, `${workspace}/../project-evil/x`]) {
      expect(await put(path, 'x', at)).toMatchObject({ kind: 'denied', path: `${outside}/x` });
    }
    expect(await readdir(outside)).toEqual([]);
    await written(`${folder}/project//a/./b.txt`, 'x', at);
    expect(await readdir(join(workspace, 'a'))).toEqual(['b.txt']);
  });

  it('2-a: denies it below /tmp too, where nothing but the workspace is the host’s', async () => {
    const folder = await freshFolder('/tmp');
    const [workspace, outside] = [join(folder, 'project'), join(folder, 'project-evil')];
    await mkdir(workspace);
    await mkdir(outside);
    const temp = await freshFolder();
    const at = await confine(workspace);
    const inTemp = new LocalFiles({ tempRoot: async () => temp });
    for (const path of ['../project-evil/x', `${outside}/x`, `${workspace}/../project-evil/x`]) {
      expect(await inTemp.replace({ path, content: 'x', expected: null }, at, never)).toMatchObject({ kind: 'denied' });
    }
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(temp)).toEqual([]);
    expect(await inTemp.replace({ path: 'in.txt', content: 'x', expected: null }, at, never)).toMatchObject({
      place: { kind: 'host', path: join(workspace, 'in.txt') },
    });
    expect(await readFile(join(workspace, 'in.txt'), 'utf8')).toBe('x');
    await symlink(outside, join(workspace, 'out'));
    expect(await inTemp.read('in.txt', at, never)).toMatchObject({ text: 'x', place: { kind: 'host' } });
    expect(await inTemp.read('out/x', at, never)).toMatchObject({ kind: 'not-found' });
  });

  it('SBX-9: denies `..` and absolute paths outside', async () => {
    const { folder, at } = await workspaceBesideOutside();
    for (const path of ['../x', 'a/../../x', `${folder}/x`, '/etc/gatehouse-test', 'missing/../../x']) {
      expect(await put(path, 'x', at)).toMatchObject({ kind: 'denied' });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['project', 'project-evil']);
    await expect(lstat('/etc/gatehouse-test')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('SBX-8: denies a write through a link that leads out, to an existing and to a new file', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await writeFile(join(outside, 'old'), 'old');
    await symlink(outside, join(workspace, 'folder'));
    await symlink(join(outside, 'old'), join(workspace, 'existing'));
    await symlink('../project-evil/new', join(workspace, 'dangling'));
    for (const path of ['folder/old', 'folder/new', 'existing', 'dangling']) {
      expect(await put(path, 'x', at, sha('old'))).toMatchObject({ kind: 'denied' });
      expect(await put(path, 'x', at)).toMatchObject({ kind: 'denied' });
    }
    expect(await readdir(outside)).toEqual(['old']);
    expect(await readFile(join(outside, 'old'), 'utf8')).toBe('old');
  });

  it('follows a link that stays inside, and the link stays a link', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await symlink('real', join(workspace, 'name'));
    const done = await written('name', 'x', at);
    expect(done.place.path).toBe(join(workspace, 'real'));
    expect((await lstat(join(workspace, 'name'))).isSymbolicLink()).toBe(true);
  });

  it('resolves what follows a missing name as if it was never named', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await symlink(outside, join(workspace, 'out'));
    expect(await put('missing/../out/x', 'x', at)).toMatchObject({ kind: 'denied', path: join(outside, 'x') });
    await written('missing/../y', 'y', at);
    expect((await readdir(workspace)).toSorted()).toEqual(['out', 'y']);
  });

  it('denies a path whose links go round', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await symlink('b', join(workspace, 'a'));
    await symlink('a', join(workspace, 'b'));
    expect(await put('a', 'x', at)).toMatchObject({ kind: 'denied', reason: 'too many symbolic links' });
  });

  it('SBX-10: judges the fresh target when a folder becomes a link after it was resolved', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'a'));
    let swaps = 0;
    const swap = async () => {
      if (swaps++ > 0) return;
      await rename(join(workspace, 'a'), join(workspace, 'was'));
      await symlink(outside, join(workspace, 'a'));
    };
    const raced = new LocalFiles({ tempRoot: noTemp, afterResolve: swap });
    const done = await raced.replace({ path: 'a/x', content: 'x', expected: null }, at, never);
    expect(done).toMatchObject({ kind: 'denied', path: join(outside, 'x') });
    expect(await readdir(outside)).toEqual([]);
  });

  it('SBX-10: judges the fresh target when the file itself becomes a link after it was resolved', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await writeFile(join(outside, 'secret'), 'secret');
    await writeFile(join(workspace, 'f'), 'seen');
    let swaps = 0;
    const swap = async () => {
      if (swaps++ > 0) return;
      await rm(join(workspace, 'f'));
      await symlink(join(outside, 'secret'), join(workspace, 'f'));
    };
    const raced = new LocalFiles({ tempRoot: noTemp, afterResolve: swap });
    const done = await raced.replace({ path: 'f', content: 'x', expected: sha('secret') }, at, never);
    expect(done).toMatchObject({ kind: 'denied', path: join(outside, 'secret') });
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('SBX-10: writes into the folder it opened when the path is swapped right before the rename', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'a'));
    const swap = async () => {
      await rename(join(workspace, 'a'), join(workspace, 'was'));
      await symlink(outside, join(workspace, 'a'));
    };
    const raced = new LocalFiles({ tempRoot: noTemp, beforeRename: swap });
    await raced.replace({ path: 'a/x', content: 'x', expected: null }, at, never);
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(join(workspace, 'was'))).toEqual(['x']);
  });

  it('SBX-10: denies the write when the opened folder was moved out of the workspace meanwhile', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'a'));
    const moved = join(outside, 'moved');
    const raced = new LocalFiles({ tempRoot: noTemp, beforeRename: () => rename(join(workspace, 'a'), moved) });
    const done = await raced.replace({ path: 'a/x', content: 'x', expected: null }, at, never);
    expect(done).toMatchObject({ kind: 'denied', path: join(moved, 'x') });
    expect(await readdir(moved)).toEqual([]);
  });

  it('gives up on a path that never holds still', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'step0'));
    let steps = 0;
    const moveOn = async () => {
      const next = `step${steps + 1}`;
      await mkdir(join(workspace, next));
      await rm(join(workspace, `step${steps}`), { recursive: true });
      await symlink(next, join(workspace, `step${steps}`));
      steps += 1;
    };
    const raced = new LocalFiles({ tempRoot: noTemp, afterResolve: moveOn });
    const done = await raced.replace({ path: 'step0/x', content: 'x', expected: null }, at, never);
    expect(done).toMatchObject({ kind: 'denied', reason: 'the path keeps changing while it is used' });
    expect(await readdir(join(workspace, `step${steps}`))).toEqual([]);
  });

  it('SBX-8: cannot be carried out by a hard link', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await writeFile(join(outside, 'twin'), 'old');
    await link(join(outside, 'twin'), join(workspace, 'twin'));
    await written('twin', 'new', at, sha('old'));
    expect(await readFile(join(outside, 'twin'), 'utf8')).toBe('old');
    expect(await readFile(join(workspace, 'twin'), 'utf8')).toBe('new');
  });

  it('leaves protected entries alone', async () => {
    const { workspace } = await workspaceBesideOutside();
    const at = await confine(workspace, 'workspace-write', { protectedNames: ['.vscode'] });
    await mkdir(join(workspace, '.git/hooks'), { recursive: true });
    await symlink('.git/hooks', join(workspace, 'harmless'));
    for (const path of ['.git/hooks/pre-commit', '.git/config', '.git', '.vscode/tasks.json', 'harmless/pre-push']) {
      expect(await put(path, 'x', at)).toMatchObject({ kind: 'denied' });
    }
    expect(await readdir(join(workspace, '.git/hooks'))).toEqual([]);
    await written('.git/description', 'x', at);
  });

  it('writes nothing in read-only and everything in danger-full-access', async () => {
    const { workspace, outside } = await workspaceBesideOutside();
    expect(await put('x', 'x', await confine(workspace, 'read-only'))).toMatchObject({ kind: 'denied' });
    const danger = await confine(workspace, 'danger-full-access');
    expect((await written(join(outside, 'x'), 'x', danger)).place.path).toBe(join(outside, 'x'));
    expect(await readdir(workspace)).toEqual([]);
  });
});

describe('the private temp', () => {
  it('is what /tmp means in a confined mode, also through links', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    const temp = await freshFolder();
    const inTemp = new LocalFiles({ tempRoot: async () => temp });
    await symlink('/tmp/deep', join(workspace, 'to-temp'));
    const done = await inTemp.replace({ path: 'to-temp/x', content: 'x', expected: null }, at, never);
    expect(done).toMatchObject({ kind: 'written', place: { kind: 'temp', path: '/tmp/deep/x' } });
    expect(await readFile(join(temp, 'deep/x'), 'utf8')).toBe('x');
    expect(await inTemp.read('/tmp/deep/x', at, never)).toMatchObject({ text: 'x', place: { kind: 'temp' } });
  });

  it('does not lead out by a link that an agent put there', async () => {
    const { outside, at } = await workspaceBesideOutside();
    const temp = await freshFolder();
    const inTemp = new LocalFiles({ tempRoot: async () => temp });
    await symlink(outside, join(temp, 'out'));
    const done = await inTemp.replace({ path: '/tmp/out/x', content: 'x', expected: null }, at, never);
    expect(done).toMatchObject({ kind: 'denied', path: join(outside, 'x') });
    expect(await readdir(outside)).toEqual([]);
  });

  it('is not the host’s when it cannot be reached', async () => {
    const { at } = await workspaceBesideOutside();
    const folder = await freshFolder('/tmp');
    await writeFile(join(folder, 'host'), 'host');
    expect(await files.read(join(folder, 'host'), at, never)).toMatchObject({
      kind: 'denied',
      reason: expect.stringContaining('no Compartment') as string,
    });
    expect(await put(join(folder, 'new'), 'x', at)).toMatchObject({ kind: 'denied' });
    expect(await readdir(folder)).toEqual(['host']);
  });

  it('is the host’s in danger-full-access', async () => {
    const { workspace } = await workspaceBesideOutside();
    const folder = await freshFolder('/tmp');
    await written(join(folder, 'x'), 'x', await confine(workspace, 'danger-full-access'));
    expect(await readFile(join(folder, 'x'), 'utf8')).toBe('x');
  });
});

describe('reading', () => {
  it('gives text without its byte-order mark, and the digest of the bytes', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    await writeFile(join(workspace, 'f'), '\ufeffa\r\nb');
    expect(await files.read('f', at, never)).toEqual({
      kind: 'file',
      place: { kind: 'host', path: join(workspace, 'f') },
      bytes: 7,
      sha256: sha('\ufeffa\r\nb'),
      text: 'a\r\nb',
      bom: true,
    });
    await writeFile(join(outside, 'g'), 'g');
    expect(await files.read(join(outside, 'g'), at, never)).toMatchObject({ text: 'g', bom: false });
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['half a character', Buffer.from([0x61, 0xf0, 0x9f])],
    ['Latin-1', Buffer.from([0x68, 0xe9])],
  ])('takes %s for no text', async (_what, bytes) => {
    const { workspace, at } = await workspaceBesideOutside();
    await writeFile(join(workspace, 'f'), bytes);
    expect(await files.read('f', at, never)).toMatchObject({ kind: 'file', text: undefined, sha256: sha(bytes) });
  });

  it('does not read a file that is too large, or that says no size', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await writeFile(join(workspace, 'f'), '');
    await truncate(join(workspace, 'f'), READ_LIMIT);
    expect(await files.read('f', at, never)).toMatchObject({ kind: 'file', bytes: READ_LIMIT });
    await truncate(join(workspace, 'f'), READ_LIMIT + 1);
    expect(await files.read('f', at, never)).toMatchObject({ kind: 'too-large', bytes: READ_LIMIT + 1 });
    const danger = await confine(workspace, 'danger-full-access');
    expect(await files.read('/proc/self/status', danger, never)).toMatchObject({ kind: 'file' });
  });

  it('waits for no pipe and opens no device', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    expect(await files.read('pipe', at, never)).toMatchObject({ kind: 'not-a-file' });
    const danger = await confine(workspace, 'danger-full-access');
    expect(await files.read('/dev/zero', danger, never)).toMatchObject({ kind: 'not-a-file' });
  });

  it('denies what is hidden, also through a link, and what belongs to the host process', async () => {
    const { workspace, outside } = await workspaceBesideOutside();
    const at = await confine(workspace, 'workspace-write', { hide: [outside] });
    await writeFile(join(outside, 'key'), 'secret');
    await symlink(outside, join(workspace, 'to-key'));
    for (const path of [
      join(outside, 'key'),
      'to-key/key',
      '/proc/self/environ',
      '/proc/self/root/proc/self/environ',
    ]) {
      expect(await files.read(path, at, never)).toMatchObject({ kind: 'denied' });
    }
  });

  it('SBX-10: judges the fresh target when a file becomes a link to a hidden one', async () => {
    const { workspace, outside } = await workspaceBesideOutside();
    const at = await confine(workspace, 'workspace-write', { hide: [outside] });
    await writeFile(join(outside, 'key'), 'secret');
    await mkdir(join(workspace, 'a'));
    await writeFile(join(workspace, 'a/key'), 'mine');
    let swaps = 0;
    const swap = async () => {
      if (swaps++ > 0) return;
      await rename(join(workspace, 'a'), join(workspace, 'was'));
      await symlink(outside, join(workspace, 'a'));
    };
    const raced = new LocalFiles({ tempRoot: noTemp, afterResolve: swap });
    expect(await raced.read('a/key', at, never)).toMatchObject({ kind: 'denied' });
  });

  it('2-e: names the look-alike when a name is spelled with other code points', async () => {
    const { workspace, at } = await workspaceBesideOutside();
    await mkdir(join(workspace, 'a\u0308'));
    await writeFile(join(workspace, 'a\u0308', 'u\u0308.txt'), 'x');
    const [file, folder] = [await files.read('a\u0308/\u00fc.txt', at, never), await files.read('\u00e4/x', at, never)];
    expect(file).toMatchObject({ kind: 'not-found', hint: expect.stringContaining('a\u0308/u\u0308.txt') as string });
    expect(folder).toMatchObject({ kind: 'not-found', hint: expect.stringContaining('a\u0308') as string });
    expect(await files.read('other.txt', at, never)).not.toHaveProperty('hint');
    const [one, other] = [await files.locate('\u00e4', at), await files.locate('a\u0308', at)];
    expect(one).not.toEqual(other);
  });
});

describe('the workspace', () => {
  it('2-g: is missing when its folder is gone, and when it was made again', async () => {
    const { workspace, outside, at } = await workspaceBesideOutside();
    const failure = { kind: 'workspace-missing', path: workspace };
    await rename(workspace, join(outside, 'kept'));
    expect(await files.read('f', at, never)).toEqual(failure);
    expect(await put('f', 'x', at)).toEqual(failure);
    expect(await files.locate('f', at)).toEqual(failure);
    await mkdir(workspace);
    expect(await put('f', 'x', at)).toEqual(failure);
    expect(await readdir(workspace)).toEqual([]);
    expect((await written('f', 'x', await confine(workspace))).created).toBe(true);
  });
});

it('leaves no descriptor open', async () => {
  const { at } = await workspaceBesideOutside();
  await written('warm', 'x', at);
  const before = (await readdir('/proc/self/fd')).length;
  for (let round = 0; round < 50; round += 1) {
    await put(`a/${round}`, 'x', at);
    await put('../out', 'x', at);
    await put('warm', 'x', at);
    await files.read(`a/${round}`, at, never);
    await files.read('none/x', at, never);
  }
  expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before + 2);
});
