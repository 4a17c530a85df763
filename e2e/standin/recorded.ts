import type { Menu, Notification, Tray } from 'electron/main';

/** What the app asked of the world outside its windows. Tests look at it through `electronApp.evaluate`. */
export interface Outside {
  /** In order. */
  readonly calls: { readonly api: string; readonly args: readonly unknown[] }[];
  /** Those on the screen. */
  readonly notifications: Set<Notification>;
  tray: Tray | undefined;
  trayMenu: Menu | undefined;
}

export const outside: Outside = { calls: [], notifications: new Set(), tray: undefined, trayMenu: undefined };
Object.assign(globalThis, { outside });

export function record(api: string, ...args: readonly unknown[]): void {
  outside.calls.push({ api, args });
}
