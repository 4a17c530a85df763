import { Menu, Tray } from 'electron/main';
import { gateIcon } from './icon.ts';
import type { Texts } from './text.ts';

export interface TrayCommands {
  open(): void;
  quit(): void;
}

/** The way back to a program that has no window. Where a desktop shows no tray, to start the program again is the way. */
export class KeepRunningTray {
  readonly #tray: Tray;

  constructor({ menu, tray }: Texts, commands: TrayCommands) {
    const icon = gateIcon(process.platform === 'darwin' ? 18 : 32);
    icon.setTemplateImage(process.platform === 'darwin');
    this.#tray = new Tray(icon);
    this.#tray.setToolTip(tray.tip);
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { id: 'open', label: tray.open, click: () => commands.open() },
        { type: 'separator' },
        { id: 'quit', label: menu.quit, click: () => commands.quit() },
      ]),
    );
    this.#tray.on('click', () => commands.open());
  }

  close(): void {
    this.#tray.destroy();
  }
}
