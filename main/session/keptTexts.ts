import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import type { KeptTexts, TextPage, WantedPage } from '../../app/session/keptTexts.ts';
import { codeOf } from '../base/codeOf.ts';
import { absent, storageFault } from './disk.ts';
import { pathsOf } from './paths.ts';
import { pageOf } from './textPage.ts';

/** The texts that the jsonl store keeps, one file each, named by its SHA-256. */
export class FileTexts implements KeptTexts {
  readonly #folder: string;

  /** `<home>/sessions`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async page(id: SessionId, blob: string, wanted: WantedPage, signal: AbortSignal): Promise<TextPage | undefined> {
    signal.throwIfAborted();
    const path = join(pathsOf(this.#folder, id).blobs, blob);
    try {
      const file = await absent(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
      if (!file) return undefined;
      try {
        return await pageOf(file, { ...wanted, size: (await file.stat()).size });
      } finally {
        await file.close();
      }
    } catch (fault) {
      throw codeOf(fault) === undefined ? fault : storageFault(`The text ${path} could not be read`, fault);
    }
  }
}
