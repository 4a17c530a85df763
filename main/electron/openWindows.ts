import { screen, type BrowserWindow } from 'electron/main';
import type { Show } from '../../app/contract/host.ts';
import { beside, place, type Placement } from './bounds.ts';
import { createWindow } from './window.ts';
import type { Wire } from './wire.ts';

export interface OpenWindowsOptions {
  readonly preload: string;
  /** Where a window begins. */
  readonly start: string;
  readonly devTools: boolean;
  /** Where the last window of an earlier run stood. */
  readonly placement: Placement | undefined;
  readonly background: () => string;
  /** Lets it in at the door, before its page is loaded. */
  readonly admit: (window: BrowserWindow, name: string) => Wire;
  /** Asked before the last window closes. */
  readonly mayCloseLast: () => boolean;
  /** When the first one opens. */
  readonly opened: () => void;
}

interface Open {
  readonly window: BrowserWindow;
  readonly wire: Wire;
}

/** The windows of this process, the one in front last. */
export class OpenWindows {
  readonly #options: OpenWindowsOptions;
  #open: readonly Open[] = [];
  #placement: Placement | undefined;
  #opened = 0;

  constructor(options: OpenWindowsOptions) {
    this.#options = options;
    this.#placement = options.placement;
  }

  /** The one that a person was at last. */
  get front(): BrowserWindow | undefined {
    return this.#open.at(-1)?.window;
  }

  /** Where the window in front stands, or the last one stood. */
  get placement(): Placement | undefined {
    const { front } = this;
    return front ? placementOf(front) : this.#placement;
  }

  open(show?: Show): void {
    const { preload, devTools, background, admit, start, opened } = this.#options;
    const placement = this.#place();
    const window = createWindow({ preload, placement, devTools, background: background() });
    this.#opened += 1;
    const each = { window, wire: admit(window, `window-${this.#opened}`) };
    this.#open = [...this.#open, each];
    this.#watch(each);
    if (show) each.wire.show(show);
    opened();
    // What goes wrong with it is told by `did-fail-load`.
    void window.loadURL(start).catch(() => undefined);
  }

  /** Before the person: the window in front, or a new one. */
  bring(show: Show): void {
    const front = this.#open.at(-1);
    if (!front) return this.open(show);
    if (front.window.isMinimized()) front.window.restore();
    front.window.show();
    front.window.focus();
    front.wire.show(show);
  }

  reloadFront(): void {
    void this.front?.loadURL(this.#options.start).catch(() => undefined);
  }

  paint(): void {
    for (const { window } of this.#open) window.setBackgroundColor(this.#options.background());
  }

  /** Without asking anybody. */
  closeAll(): void {
    // A window that is destroyed does not say so before.
    this.#placement = this.placement;
    for (const { window } of this.#open) window.destroy();
  }

  #watch(each: Open): void {
    const { window, wire } = each;
    window.on('focus', () => {
      this.#open = [...this.#open.filter((other) => other !== each), each];
      wire.touched();
    });
    window.on('close', (event) => {
      this.#placement = placementOf(window);
      if (this.#open.length === 1 && !this.#options.mayCloseLast()) event.preventDefault();
    });
    window.on('closed', () => {
      this.#open = this.#open.filter((other) => other !== each);
    });
  }

  #place(): Placement {
    const { placement, front } = this;
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
    const wanted = front && placement ? beside(placement) : placement;
    return place(wanted, screens, screen.getPrimaryDisplay().workArea);
  }
}

function placementOf(window: BrowserWindow): Placement {
  return { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
}
