import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron/main';
import { asContents, asWindow, type Host } from '../host.ts';
import { only } from './watched.ts';
import { StandinWindow } from './window.ts';

type Statics = Pick<typeof BrowserWindow, 'getAllWindows' | 'getFocusedWindow' | 'fromWebContents'>;
type WindowClass = Statics & (new (options?: BrowserWindowConstructorOptions) => StandinWindow);

/** The class as the app sees it, bound to the one host. */
export function createBrowserWindow(host: Host): WindowClass {
  class HostWindow extends StandinWindow {
    constructor(options?: BrowserWindowConstructorOptions) {
      super(host, options);
    }
  }
  const statics: Statics = {
    getAllWindows: () => [...host.windows].map(asWindow),
    getFocusedWindow: () => (host.focused ? asWindow(host.focused) : null),
    fromWebContents(contents) {
      const found = [...host.windows].find((window) => asContents(window.webContents) === contents);
      return found ? asWindow(found) : null;
    },
  };
  return only('BrowserWindow', Object.assign(HostWindow, statics));
}
