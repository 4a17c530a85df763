import { lstat } from 'node:fs/promises';
import type { Place } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Confinement, FileFailure } from '../../app/tool/ports.ts';
import { placeOf } from '../../app/sandbox/place.ts';
import { verdict } from '../../app/sandbox/verdict.ts';
import { codeOf } from './fault.ts';

/** Host path of the private temp of a Session; undefined where it has none that can be reached. */
export type TempRoot = (at: Confinement) => Promise<string | undefined>;

/** The file system as one call's sandbox sees it: which place an inside path is, and where that lies on the host. */
export class View {
  readonly policy: SandboxPolicy;
  readonly #at: Confinement;
  readonly #tempRoot: TempRoot;
  #temp: Promise<string | undefined> | undefined;

  constructor(at: Confinement, tempRoot: TempRoot) {
    this.policy = at.policy;
    this.#at = at;
    this.#tempRoot = tempRoot;
  }

  place(path: string): Place {
    return placeOf(path, this.policy);
  }

  /** The folder on the host from which the components of `place` are opened, and those components. */
  async base(place: Place): Promise<Base | undefined> {
    const names = place.path.split('/').filter((name) => name !== '');
    if (place.kind === 'host') return { folder: '/', inside: '/', names };
    this.#temp ??= this.#tempRoot(this.#at);
    const folder = await this.#temp;
    return folder === undefined ? undefined : { folder, inside: '/tmp', names: names.slice(1) };
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
