import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPlacement, writePlacement } from './placementFile.ts';

it('where a window stood is there after a restart, and a damaged file counts as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-place-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'window.json');
  expect(await readPlacement(file)).toBeUndefined();
  const last = { bounds: { x: -8, y: 4, width: 900, height: 600 }, maximized: true };
  await writePlacement(file, last);
  expect(await readPlacement(file)).toEqual(last);
  await writeFile(file, '{"bounds"');
  expect(await readPlacement(file)).toBeUndefined();
});
