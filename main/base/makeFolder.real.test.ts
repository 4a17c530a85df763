import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from './makeFolder.ts';

async function fresh(): Promise<string> {
  const folder = await mkdtemp('/var/tmp/gatehouse-folder-');
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('makes what is missing, for its owner alone, and takes what is there', async () => {
  const path = join(await fresh(), 'a', 'b');
  await makeFolder(path, 0o700);
  await makeFolder(path, 0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it('says that a file is in the way', async () => {
  const file = join(await fresh(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file, 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(file, 'below'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('ends where nothing can be made and the system says that nothing is there', async () => {
  await expect(makeFolder('/proc/nowhere/below', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
});
