import { BrowserWindow, type BrowserWindowConstructorOptions, type WebPreferences } from 'electron/main';
import { SMALLEST, type Placement } from './bounds.ts';
import { gateIcon } from './icon.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly placement: Placement;
  readonly background: string;
  /** While it is being developed. */
  readonly devTools: boolean;
}

/** A window that nobody sees until its page is drawn. */
export function createWindow({ preload, placement, background, devTools }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...placement.bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: 'Gatehouse',
    show: false,
    backgroundColor: background,
    ...onLinux(),
    webPreferences: preferences(preload, devTools),
  });
  window.once('ready-to-show', () => {
    if (placement.maximized) window.maximize();
    window.show();
  });
  return window;
}

/** The menu is one key away, and elsewhere the program's own icon is that of its bundle. */
function onLinux(): BrowserWindowConstructorOptions {
  if (process.platform === 'darwin') return {};
  return { autoHideMenuBar: true, ...(process.platform === 'linux' && { icon: gateIcon(64) }) };
}

/** Also what is the default is said: a default may change (hosts.md, Electron security). */
function preferences(preload: string, devTools: boolean): WebPreferences {
  return {
    preload,
    devTools,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    // It would load dictionaries from the network.
    spellcheck: false,
  };
}
