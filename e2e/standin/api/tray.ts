import type { NativeImage } from 'electron/common';
import type { Menu, Tray } from 'electron/main';
import { outside, record } from '../recorded.ts';
import { Watched } from './watched.ts';

interface TrayEvents {
  click: [];
}

type Members = 'setToolTip' | 'setContextMenu' | 'destroy' | 'isDestroyed';

export class StandinTray extends Watched<TrayEvents> implements Pick<Tray, Members> {
  readonly #life: { destroyed: boolean };

  constructor(_image: NativeImage | string) {
    const life = { destroyed: false };
    super('Tray', () => life.destroyed);
    this.#life = life;
    record('Tray');
    // It has what a test looks at and clicks.
    outside.tray = this as unknown as Tray;
  }

  setToolTip(toolTip: string): void {
    record('Tray.setToolTip', toolTip);
  }

  setContextMenu(menu: Menu | null): void {
    outside.trayMenu = menu ?? undefined;
  }

  isDestroyed(): boolean {
    return this.#life.destroyed;
  }

  destroy(): void {
    record('Tray.destroy');
    this.#life.destroyed = true;
    outside.tray = undefined;
    outside.trayMenu = undefined;
  }
}
