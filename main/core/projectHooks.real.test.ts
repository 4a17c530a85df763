import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../app/tool/ports.ts';
import { LocalFiles } from '../files/files.ts';
import { confine, freshFolder } from '../files/files.fixture.ts';
import { ProjectHooksFile } from './projectHooks.ts';

const never = new AbortController().signal;
const HOOKS = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}';

let workspace: string;
beforeEach(async () => {
  workspace = await freshFolder();
});

const settings = () => join(workspace, '.claude', 'settings.json');

async function put(content: string, folder = '.claude') {
  await mkdir(join(workspace, folder), { recursive: true });
  await writeFile(join(workspace, folder, 'settings.json'), content);
}

/** How often the file was parsed shows in whether the same answer comes back. */
async function opened() {
  const files: Files = new LocalFiles({ tempRoot: async () => join(workspace, 'temp') });
  const at = await confine(workspace);
  const file = new ProjectHooksFile(files);
  return () => file.read(at, never);
}

describe('the hooks file of a workspace', () => {
  it('is broken where any link leads to it: also within the workspace, also to nothing, also in a circle', async () => {
    await put(HOOKS, 'conf');
    await mkdir(join(workspace, '.claude'));
    const read = await opened();
    await symlink('../conf/settings.json', settings());
    expect(await read()).toEqual({ kind: 'broken', message: `${settings()}: it is a link, or lies behind one` });
    await rm(settings());
    await symlink('../conf/later.json', settings());
    expect(await read()).toMatchObject({ kind: 'broken' });
    await rm(join(workspace, '.claude'), { recursive: true });
    await symlink('conf', join(workspace, '.claude'));
    expect(await read()).toMatchObject({ kind: 'broken' });
    await rm(join(workspace, '.claude'));
    await symlink('.claude', join(workspace, '.claude'));
    expect(await read()).toMatchObject({ kind: 'broken' });
    await rm(join(workspace, '.claude'));
    await rename(join(workspace, 'conf'), join(workspace, '.claude'));
    expect(await read()).toMatchObject({ kind: 'block' });
  });

  it('is broken where it is larger than any block of hooks is, before it is parsed', async () => {
    const read = await opened();
    await put(`{"x":[${'1,'.repeat(140_000)}`);
    const large = await read();
    expect(large).toMatchObject({ kind: 'broken', message: expect.stringContaining('too large (280006 bytes;') });
    await put(HOOKS);
    expect(await read()).toMatchObject({ kind: 'block' });
  });

  it('is parsed once while it says the same', async () => {
    const read = await opened();
    await put(HOOKS);
    const first = await read();
    expect(await read()).toBe(first);
    await put(HOOKS.replace('exit 2', 'exit 3'));
    expect(await read()).toMatchObject({ block: { PreToolUse: [{ hooks: [{ command: 'exit 3' }] }] } });
  });
});
