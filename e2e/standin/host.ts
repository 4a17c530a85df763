import type { BrowserWindow, WebContents } from 'electron/main';
import type { StandinApp } from './api/app.ts';
import type { StandinContents } from './api/contents.ts';
import type { IpcHandlers } from './api/ipcMain.ts';
import type { Permissions } from './api/session.ts';
import type { StandinWindow } from './api/window.ts';
import type { Chromium } from './chromium.ts';
import type { Started, Switches } from './commandLine.ts';
import type { Schemes } from './api/protocol.ts';

/** What the parts of the stand-in share. There is one. */
export interface Host {
  readonly started: Started;
  readonly switches: Switches;
  readonly schemes: Schemes;
  readonly permissions: Permissions;
  readonly ipc: IpcHandlers;
  readonly windows: Set<StandinWindow>;
  userData: string;
  name: string;
  isReady: boolean;
  focused: StandinWindow | undefined;
  theme: 'system' | 'light' | 'dark';
  /** Set before anything of the app runs. */
  app: StandinApp;
  /** Runs from `ready` on. */
  chromium: Chromium;
}

/** To the app it is the Electron object; it has the members that the app uses, and says so when one is missing. */
export function asWindow(window: StandinWindow): BrowserWindow {
  return window as unknown as BrowserWindow;
}

export function asContents(contents: StandinContents): WebContents {
  return contents as unknown as WebContents;
}
