import type * as Electron from 'electron/main';
import { StandinApp } from './api/app.ts';
import { createDialog, createNativeImage, createScreen, createShell } from './api/desktop.ts';
import { createIpcMain } from './api/ipcMain.ts';
import { createMenu } from './api/menu.ts';
import { StandinNativeTheme } from './api/nativeTheme.ts';
import { StandinNotification } from './api/notification.ts';
import { createProtocol } from './api/protocol.ts';
import { createSafeStorage } from './api/safeStorage.ts';
import { createSession } from './api/session.ts';
import { StandinTray } from './api/tray.ts';
import { only } from './api/watched.ts';
import { createBrowserWindow } from './api/windowClass.ts';
import { asContents, type Host, type HostContents } from './host.ts';

type WebContentsClass = Pick<typeof Electron.webContents, 'fromId' | 'fromDevToolsTargetId' | 'getAllWebContents'>;

/** What `require('electron')` gives the app: the names of `electron/main`, as far as the app uses them. */
export function createElectron(host: Host): Partial<Record<keyof typeof Electron, unknown>> {
  const app = new StandinApp(host);
  host.app = app;
  const protocol = createProtocol(host.schemes, () => host.isReady);
  const defaultSession = createSession(host.permissions, protocol);
  return only('electron', {
    app,
    BrowserWindow: createBrowserWindow(host),
    dialog: createDialog(),
    ipcMain: createIpcMain(host.ipc),
    Menu: createMenu(host),
    nativeImage: createNativeImage(),
    nativeTheme: new StandinNativeTheme(host),
    Notification: StandinNotification,
    protocol,
    safeStorage: createSafeStorage(),
    screen: createScreen(),
    session: only('session', { defaultSession }),
    shell: createShell(),
    Tray: StandinTray,
    webContents: createWebContents(host),
  });
}

function createWebContents(host: Host): WebContentsClass {
  const all = (): HostContents[] => [...host.windows].map((window) => window.webContents);
  const find = (test: (contents: HostContents) => boolean): Electron.WebContents | undefined => {
    const found = all().find(test);
    return found && asContents(found);
  };
  return only('webContents', {
    fromId: (id: number) => find((contents) => contents.id === id),
    fromDevToolsTargetId: (targetId: string) => find((contents) => contents._targetId === targetId),
    getAllWebContents: () => all().map(asContents),
  });
}
