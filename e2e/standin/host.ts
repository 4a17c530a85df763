import type { BrowserWindow, WebContents } from 'electron/main';
import type { AppEvents } from './api/events.ts';
import type { IpcHandlers } from './api/ipcMain.ts';
import type { Schemes } from './api/protocol.ts';
import type { Permissions } from './api/session.ts';
import type { Chromium } from './chromium.ts';
import type { Started, Switches } from './commandLine.ts';

/** What the parts of the stand-in share. There is one. */
export interface Host {
  readonly started: Started;
  readonly switches: Switches;
  readonly schemes: Schemes;
  readonly permissions: Permissions;
  readonly ipc: IpcHandlers;
  readonly windows: Set<HostWindow>;
  userData: string;
  name: string;
  isReady: boolean;
  focused: HostWindow | undefined;
  theme: 'system' | 'light' | 'dark';
  /** Set before anything of the app runs. */
  app: HostApp;
  /** Runs from `ready` on. */
  chromium: Chromium;
}

/** Parts as the others see them. What begins with `_` is not of Electron. */
export interface HostApp {
  readonly _isEnding: boolean;
  emit<K extends keyof AppEvents>(name: K, ...args: AppEvents[K]): boolean;
  quit(): void;
  _start(): void;
  _closePrevented(): void;
  _windowClosed(): void;
}

export interface HostWindow {
  readonly webContents: HostContents;
  close(): void;
  destroy(): void;
  focus(): void;
  blur(): void;
  minimize(): void;
  reload(): void;
  /** Its page is gone. */
  _gone(): void;
}

export interface HostContents {
  readonly id: number;
  /** Undefined until the page is there. */
  readonly _targetId: string | undefined;
  _titled(title: string): void;
  _themed(): void;
}

/** To the app it is the Electron object; it has the members that the app uses, and says so when one is missing. */
export function asWindow(window: HostWindow): BrowserWindow {
  return window as unknown as BrowserWindow;
}

export function asContents(contents: HostContents): WebContents {
  return contents as unknown as WebContents;
}
