import { createRequire } from 'node:module';
import type { FileLocks } from './session/lockFile.ts';

// The only file that knows which packages bring machine code with them.

/** Locks of the operating system. Throws, with the cause, where the addon does not load: then nothing may be written. */
export function loadLocks(): FileLocks {
  try {
    // A CommonJS package without types: this is the part of it that is used.
    return createRequire(import.meta.url)('fs-native-extensions') as FileLocks;
  } catch (fault) {
    throw new Error('The file locks of this machine cannot be loaded, so no Session can be written', { cause: fault });
  }
}

/** Where the search program lies. It runs in the sandbox, which must see it: it belongs to the Provider's runtime. */
export function ripgrepPath(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  // The package of the platform itself: the one in front of it throws while it is being imported.
  return createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep')).resolve(
    `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`,
  );
}
