import { join } from 'node:path';
import { app, safeStorage } from 'electron/main';
import { logFault } from '../base/logFault.ts';
import { endSignal } from '../cli/signals.ts';
import { createCore } from '../core.ts';
import { ElectronSecrets } from '../host/electronSecrets.ts';
import { FileSecrets, SECRETS_FILE } from '../host/fileSecrets.ts';
import { loginPath, loginShellOf } from '../host/loginPath.ts';
import { Desktop, type DesktopOptions } from './desktop.ts';
import { nodeRuntimeOf } from './nodeRuntime.ts';
import { OwnOrigins } from './origin.ts';
import type { Places } from './places.ts';
import { readPlacement, writePlacement } from './placementFile.ts';
import { workspaceOf, type SecondStart } from './startArguments.ts';

/** Opens the core and the first window. Rejects, with a sentence for the person, when the core cannot be opened. */
export async function startDesktop(places: Places, started: SecondStart): Promise<Desktop> {
  const placementFile = join(app.getPath('userData'), 'window.json');
  const node = nodeRuntimeOf(process.env, process.execPath);
  const shell = loginShellOf(process.env, process.platform);
  const [core, placement, workspace] = await Promise.all([
    createCore({ home: places.home, onFault, node, loginPath: (signal) => loginPath(shell, signal) }),
    readPlacement(placementFile),
    workspaceOf(started),
  ]);
  try {
    const desktop = await createDesktop({ core, places, placement, placementFile });
    // From outside it is not asked but obeyed. Electron would take the signal for a person who quits.
    endSignal(process).addEventListener('abort', () => void desktop.quit.stop());
    desktop.begin(workspace === undefined ? {} : { workspace });
    return desktop;
  } catch (fault) {
    await core.close();
    throw fault;
  }
}

interface Opened extends Pick<DesktopOptions, 'core' | 'places' | 'placement'> {
  readonly placementFile: string;
}

async function createDesktop({ core, places, placement, placementFile }: Opened): Promise<Desktop> {
  const { settings } = await core.settings.get();
  return new Desktop({
    core,
    places,
    // A page of a development server gets what ours gets, so never in what is delivered.
    origins: new OwnOrigins(app.isPackaged ? undefined : process.env['GATEHOUSE_DEV_URL']),
    settings,
    secrets: (texts) =>
      new ElectronSecrets({
        vault: safeStorage,
        platform: process.platform,
        file: join(core.home, 'secrets.sealed.json'),
        plain: new FileSecrets(join(core.home, SECRETS_FILE)),
        texts,
      }),
    placement,
    remember: (last) => writePlacement(placementFile, last),
    reason: process.env['GATEHOUSE_HOST_REASON'],
    onFault,
  });
}

function onFault(fault: unknown): void {
  logFault(process.stderr, fault);
}
