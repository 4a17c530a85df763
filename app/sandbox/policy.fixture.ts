import type { Mode } from './mode.ts';
import type { LaunchSettings, SandboxPolicy } from './policy.ts';

const OPEN = {
  writableRoots: [],
  hide: [],
  protectedNames: [],
  network: 'none',
  unixSockets: 'block',
  requireEnforcement: 'any',
} as const;

/** Limits that nothing which a test does for real should meet. */
export const ROOMY: LaunchSettings = {
  ...OPEN,
  limits: {
    heapBytes: 512 * 2 ** 20,
    dataBytes: 4 * 2 ** 30,
    memoryBytes: 8 * 2 ** 30,
    processes: 256,
    descriptors: 1024,
    fileBytes: 2 ** 30,
    outputBytes: 8 * 2 ** 20,
    tempBytes: 2 ** 28,
  },
};

export interface PolicyChoice extends Partial<LaunchSettings> {
  readonly workspace?: string;
}

/** A policy over `/w` unless told otherwise. */
export function policyOf(mode: Mode, { workspace = '/w', ...settings }: PolicyChoice = {}): SandboxPolicy {
  return {
    mode,
    workspace: { path: workspace, device: '1', inode: '2' },
    settings: {
      ...OPEN,
      limits: {
        heapBytes: 1,
        dataBytes: 2,
        memoryBytes: 8,
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
