import { lstat } from 'node:fs/promises';
import { boundRoots, isWithin, placeOf, TEMP, type Place } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Confinement, FileFailure } from '../../app/tool/ports.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { verdict } from '../../app/sandbox/verdict.ts';
import { codeOf } from './fault.ts';

/** Host path of the private temp of a Session, which is made when there is none yet; or why there is none. */
export type TempRoot = (at: Confinement) => Promise<string | Unavailable>;

/** The file system as one call's sandbox sees it: which place an inside path is, and where that lies on the host. */
export class View {
  readonly policy: SandboxPolicy;
  readonly #at: Confinement;
  readonly #tempRoot: TempRoot;
  #temp: Promise<string | Unavailable> | undefined;

  constructor(at: Confinement, tempRoot: TempRoot) {
    this.policy = at.policy;
    this.#at = at;
    this.#tempRoot = tempRoot;
  }

  place(path: string): Place {
    return placeOf(path, this.policy);
  }

  /** A folder of the private temp in which a root is mounted: it is there inside, whatever the temp itself holds. */
  leadsToRoot(path: string): boolean {
    return this.place(path).kind === 'temp' && boundRoots(this.policy).some((root) => isWithin(root, path));
  }

  /** The folder on the host from which the components of `place` are opened, and those components. */
  async base(place: Place): Promise<Base | undefined> {
    const names = place.path.split('/').filter((name) => name !== '');
    if (place.kind === 'host') return { folder: '/', inside: '/', names };
    const folder = await this.#tempFolder();
    return typeof folder === 'string' ? { folder, inside: TEMP, names: names.slice(1) } : undefined;
  }

  /** Why `place` lies nowhere on this host: the private temp has no folder that can be reached. */
  async unreachable(place: Place): Promise<FileFailure | undefined> {
    const folder = place.kind === 'temp' ? await this.#tempFolder() : '/';
    if (typeof folder === 'string') return undefined;
    return { kind: 'denied', path: place.path, reason: `the private temp is not reachable: ${folder.message}` };
  }

  #tempFolder(): Promise<string | Unavailable> {
    this.#temp ??= this.#tempRoot(this.#at);
    return this.#temp;
  }

  /** Why this place may not be read or written, if so. */
  refuse(place: Place, operation: 'read' | 'write'): FileFailure | undefined {
    const judged = verdict(place, operation, this.policy);
    return judged.kind === 'allow' ? undefined : { kind: 'denied', path: place.path, reason: judged.reason };
  }

  /** A folder that was removed, or removed and made again, is not the workspace that was opened. */
  async missingWorkspace(): Promise<FileFailure | undefined> {
    const { path, device, inode } = this.policy.workspace;
    try {
      const now = await lstat(path, { bigint: true });
      if (now.isDirectory() && String(now.dev) === device && String(now.ino) === inode) return undefined;
    } catch (fault) {
      if (codeOf(fault) === undefined) throw fault;
    }
    return { kind: 'workspace-missing', path };
  }
}

export interface Base {
  readonly folder: string;
  readonly inside: string;
  readonly names: readonly string[];
}
