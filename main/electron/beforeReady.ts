import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { App, Protocol } from 'electron/main';
import { codeOf } from '../base/codeOf.ts';
import { SCHEME } from './origin.ts';
import type { Places } from './places.ts';

/** What must have been said before Electron is ready, and so all at once: nothing here waits. */
export function beforeReady(app: App, protocol: Protocol, { userData }: Places): void {
  app.setName('Gatehouse');
  // Notifications of Windows belong to a program by this name.
  if (process.platform === 'win32') app.setAppUserModelId('Gatehouse');
  // Also where the lock of the single instance lies: one instance for each data folder.
  if (!app.commandLine.hasSwitch('user-data-dir') && makeFolder(userData)) app.setPath('userData', userData);
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges }]);
  app.enableSandbox();
}

/** False: it cannot be had. The core, which needs the same folder, tells the person what to do. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return statSync(path).isDirectory();
    // Not with Node's own `recursive`, which below `/proc` tries for ever.
    return codeOf(fault) === 'ENOENT' && dirname(path) !== path && makeFolder(dirname(path)) && makeLast(path);
  }
}

function makeLast(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}
