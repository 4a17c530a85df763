import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronBinary, Machine } from './startPlan.ts';

/** Looks at this machine. It never asks the package `electron`, which would download a binary that is missing. */
export function lookAtMachine(root: string, env: NodeJS.ProcessEnv): Machine {
  return {
    electron: findElectron(root, env),
    hasDisplay: hasDisplay(process.platform, env),
    isRoot: process.getuid?.() === 0,
  };
}

export function findElectron(root: string, env: NodeJS.ProcessEnv): ElectronBinary {
  const home = join(root, 'node_modules', 'electron');
  const name = nameOfBinary(home);
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const path = join(override, name ?? 'electron');
    return existsSync(path) ? { kind: 'present', path } : { kind: 'absent', why: `there is none at ${path}` };
  }
  const path = name === undefined ? undefined : join(home, 'dist', name);
  if (path !== undefined && existsSync(path)) return { kind: 'present', path };
  const remedy = '`npx install-electron` installs it.';
  return { kind: 'absent', why: 'its binary is not installed', remedy };
}

/** What the package wrote down when it was installed with its binary. */
function nameOfBinary(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'path.txt'), 'utf8').trim();
  } catch {
    return undefined; // installed without
  }
}

export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  switch (platform) {
    case 'win32':
      return true;
    case 'darwin':
      return !env['SSH_CONNECTION'];
    default:
      return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
  }
}
