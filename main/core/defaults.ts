import { join } from 'node:path';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** What a launch depends on where the settings say nothing (sandbox.md). */
export function defaultLaunch(home: string, userHome: string): LaunchSettings {
  return {
    writableRoots: [],
    hide: [home, ...SECRETS.map((name) => join(userHome, name))],
    protectedNames: ['.vscode', '.idea', '.claude', '.github', '.gitlab-ci.yml', '.circleci'],
    network: 'none',
    unixSockets: 'block',
    requireEnforcement: 'any',
    limits: {
      heapBytes: 512 * MIB,
      dataBytes: 8 * GIB,
      memoryBytes: 8 * GIB,
      processes: 512,
      descriptors: 4096,
      fileBytes: 8 * GIB,
      outputBytes: 8 * MIB,
      tempBytes: GIB,
    },
  };
}

/** Below the user's home folder: keys, cloud credentials, browser profiles. */
const SECRETS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/gh',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  'Library/Keychains',
];
