import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codeOf } from './base/codeOf.ts';
import type { FileLocks } from './session/lockFile.ts';

// The only file that knows which packages bring machine code with them. A bundle carries those files in a folder `native`
// beside it and knows no packages; the sources take them from where they were installed.

/** Locks of the operating system. Throws, with the cause, where the addon does not load: then nothing may be written. */
export function loadLocks(): FileLocks {
  try {
    // The package's own JavaScript would look for its binary by itself, so the binary is taken without it.
    const addon = createRequire(import.meta.url)(locksPath()) as LocksAddon;
    return { tryLock: (fd) => tryLock(addon, fd) };
  } catch (fault) {
    throw new Error('The file locks of this machine cannot be loaded, so no Session can be written', { cause: fault });
  }
}

/** Where the search program lies. It runs in the sandbox, which must see it: it belongs to the Provider's runtime. */
export function ripgrepPath(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  // The package of the platform itself: the one in front of it throws while it is being imported.
  return besideBundle(name) ?? packageOf('@vscode/ripgrep').resolve(`@vscode/ripgrep-${PLATFORM}/bin/${name}`);
}

export function locksPath(): string {
  const name = 'fs-native-extensions';
  const installed = () => join(dirname(packageOf(name).resolve(`${name}/package.json`)), 'prebuilds', PLATFORM);
  return besideBundle(`${name}.node`) ?? join(installed(), `${name}.node`);
}

const PLATFORM = `${process.platform}-${process.arch}`;

function besideBundle(name: string): string | undefined {
  const path = join(import.meta.dirname, 'native', name);
  return existsSync(path) ? path : undefined;
}

function packageOf(name: string): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve(name));
}

/** The part of the addon that is used: length 0 is the whole file. */
interface LocksAddon {
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
}

/** Throws what the system says, but for a lock that another has. */
function tryLock(addon: LocksAddon, fd: number): boolean {
  try {
    addon.tryLock(fd, 0, 0, true);
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'EAGAIN') return false;
    throw fault;
  }
}
