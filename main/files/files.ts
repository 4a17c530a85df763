import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { TEMP, type Place } from '../../app/sandbox/place.ts';
import type { Confinement, FileContent, FileFailure, Files, FileWrite, FileWritten } from '../../app/tool/ports.ts';
import { readEntry } from './content.ts';
import { Moved, toDenial } from './fault.ts';
import { openFolder, type Folder } from './folder.ts';
import { lookAlike } from './lookAlike.ts';
import { replaceEntry } from './replace.ts';
import { resolve, type Resolved } from './resolve.ts';
import { View, type TempRoot } from './view.ts';

export interface LocalFilesOptions {
  readonly tempRoot: TempRoot;
  /** For tests: runs when everything is written but the last checks and the rename. */
  readonly beforeRename?: () => Promise<void>;
  /** For tests: runs between the last checks and the moment when a new file gets its name. */
  readonly beforeName?: () => Promise<void>;
  /** For tests: runs between resolving a path and opening its folder. */
  readonly afterResolve?: () => Promise<void>;
}

const ELSEWHERE = 'a link was changed meanwhile: this is not the file that the call was judged for';
/** How often a path may change under us before the answer is no. */
const ATTEMPTS = 8;

/** Files on this machine. A path is resolved and judged, and then opened again without following anything. */
export class LocalFiles implements Files {
  readonly #options: LocalFilesOptions;

  constructor(options: LocalFilesOptions) {
    this.#options = options;
  }

  async locate(path: string, at: Confinement): Promise<Place | FileFailure> {
    const view = new View(at, this.#options.tempRoot);
    const missing = await view.missingWorkspace();
    if (missing) return missing;
    const resolved = await resolve(path, view);
    return resolved.kind === 'resolved' ? resolved.place : resolved;
  }

  read(path: string, at: Confinement, signal: AbortSignal): Promise<FileContent | FileFailure> {
    const access: Access = { path, at, operation: 'read', absent: notFound };
    return this.#settle(access, signal, async (folder, { place }) => {
      const current = await readEntry(folder, place, signal);
      if (current === undefined) throw new Moved('The file went away');
      return current.kind === 'current' ? current.content : current;
    });
  }

  replace(write: FileWrite, at: Confinement, signal: AbortSignal): Promise<FileWritten | FileFailure> {
    const { beforeRename, beforeName } = this.#options;
    const access: Access = {
      path: write.path,
      at,
      operation: 'write',
      ...(write.expected !== null && { absent: gone }),
      ...(write.only && { only: write.only }),
    };
    return this.#settle(access, signal, (folder, { place }, view) => {
      const temporaryName = `.${randomUUID()}.gatehouse-tmp`;
      return replaceEntry({ write, place, folder, view, temporaryName, beforeRename, beforeName }, signal);
    });
  }

  /** Tries until the path holds still: what was resolved and judged is then the very thing that `use` is given. */
  async #settle<Done>(access: Access, signal: AbortSignal, use: Use<Done>): Promise<Done | FileFailure> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.#attempt(access, use);
      } catch (fault) {
        if (!(fault instanceof Moved)) return toDenial(fault, access.path);
      }
    }
    return { kind: 'denied', path: access.path, reason: 'the path keeps changing while it is used' };
  }

  async #attempt<Done>({ path, at, operation, absent, only }: Access, use: Use<Done>): Promise<Done | FileFailure> {
    const view = new View(at, this.#options.tempRoot);
    const missing = await view.missingWorkspace();
    if (missing) return missing;
    const resolved = await resolve(path, view);
    if (resolved.kind !== 'resolved') return resolved;
    const { place } = resolved;
    const refusal = view.refuse(place, operation) ?? (await view.unreachable(place));
    if (refusal) return refusal;
    if (only && !only.includes(place.path)) return { kind: 'denied', path: place.path, reason: ELSEWHERE };
    if (place.path === '/' || place.path === TEMP) return { kind: 'not-a-file', path: place.path };
    if (absent && resolved.missing.length > 0) return absent(resolved, view);
    await this.#options.afterResolve?.();
    const folder = await openFolder({ ...place, path: posix.dirname(place.path) }, resolved.missing.length - 1, view);
    if (folder === undefined) throw new Error(`No folder for ${place.path}, which is reachable`);
    return await useFolder(folder, resolved, view, use);
  }
}

interface Access {
  readonly path: string;
  readonly at: Confinement;
  readonly operation: 'read' | 'write';
  readonly only?: readonly string[];
  /** The answer where there is no file; without it the file may be made. */
  readonly absent?: (resolved: Resolved, view: View) => FileFailure | Promise<FileFailure>;
}

type Use<Done> = (folder: Folder, resolved: Resolved, view: View) => Promise<Done | FileFailure>;

async function useFolder<Done>(
  folder: Folder,
  resolved: Resolved,
  view: View,
  use: Use<Done>,
): Promise<Done | FileFailure> {
  try {
    return await use(folder, resolved, view);
  } finally {
    await folder.close();
  }
}

async function notFound(resolved: Resolved, view: View): Promise<FileFailure> {
  const hint = await lookAlike(resolved, view);
  return { kind: 'not-found', path: resolved.place.path, ...(hint !== undefined && { hint }) };
}

function gone({ place }: Resolved): FileFailure {
  return { kind: 'stale', path: place.path, now: undefined };
}
