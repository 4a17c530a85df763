import { readFile } from 'node:fs/promises';
import { parseJson } from '../base/parseJson.ts';
import { replaceFile } from '../settings/replaceFile.ts';
import { toPlacement, type Placement } from './bounds.ts';

/** Where the last window stood. Nothing depends on it, so what cannot be read counts as none. */
export async function readPlacement(file: string): Promise<Placement | undefined> {
  return toPlacement(parseJson(await readFile(file, 'utf8').catch(() => '')));
}

export async function writePlacement(file: string, { bounds, maximized }: Placement): Promise<void> {
  const { x, y, width, height } = bounds;
  await replaceFile(file, JSON.stringify({ bounds: { x, y, width, height }, maximized }), async () => true);
}
