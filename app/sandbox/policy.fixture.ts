import type { Mode } from './mode.ts';
import type { LaunchSettings, SandboxPolicy } from './policy.ts';

export interface PolicyChoice extends Partial<LaunchSettings> {
  readonly workspace?: string;
}

/** A policy over `/w` unless told otherwise. */
export function policyOf(mode: Mode, { workspace = '/w', ...settings }: PolicyChoice = {}): SandboxPolicy {
  return {
    mode,
    workspace: { path: workspace, device: '1', inode: '2' },
    settings: {
      writableRoots: [],
      hide: [],
      protectedNames: [],
      network: 'none',
      unixSockets: 'block',
      limits: {
        heapBytes: 1,
        dataBytes: 2,
        processes: 3,
        descriptors: 4,
        fileBytes: 5,
        outputBytes: 6,
        tempBytes: 1024,
      },
      ...settings,
    },
  };
}
