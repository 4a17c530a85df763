import { linkedRoots, type LinkedGit } from './linkedGit.ts';
import type { Mode } from './mode.ts';

export interface Limits {
  readonly heapBytes: number;
  /** Of each process. */
  readonly dataBytes: number;
  /** Of a whole process tree, as it lies in memory. */
  readonly memoryBytes: number;
  /** Of a whole process tree, threads included. */
  readonly processes: number;
  readonly descriptors: number;
  readonly fileBytes: number;
  readonly outputBytes: number;
  readonly tempBytes: number;
}

/** What a launch depends on besides the Mode. A changed digest of it is a `sandbox/settings` event (ptc.md). */
export interface LaunchSettings {
  /** Absolute canonical folders that are writable besides the workspace root under `workspace-write`. */
  readonly writableRoots: readonly string[];
  /** Absolute paths that no sandbox sees. Gatehouse's own data is always among them. */
  readonly hide: readonly string[];
  /** Names directly below a writable root that stay read-only when they exist, besides `.git/hooks` and `.git/config`. */
  readonly protectedNames: readonly string[];
  readonly network: 'none' | 'host';
  readonly unixSockets: 'block' | 'private';
  /** `full`: a machine that enforces less runs nothing confined. */
  readonly requireEnforcement: 'full' | 'any';
  readonly limits: Limits;
}

/** The workspace root. `device` and `inode` tell a folder from one that was removed and made again. */
export interface WorkspaceRoot {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/** Everything a launch or a file tool is judged by; resolved once per call and then carried along. */
export interface SandboxPolicy {
  readonly mode: Mode;
  readonly workspace: WorkspaceRoot;
  readonly settings: LaunchSettings;
  readonly linked?: LinkedGit;
}

/** The roots that may be written under this policy, as recorded in `tool/started`. Temp is not among them. */
export function writableRoots(policy: SandboxPolicy): readonly string[] {
  switch (policy.mode) {
    case 'read-only':
      return [];
    case 'workspace-write':
      return [policy.workspace.path, ...policy.settings.writableRoots, ...linkedRoots(policy.linked)];
    case 'danger-full-access':
      return ['/'];
  }
}
