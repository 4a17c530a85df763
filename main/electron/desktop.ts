import { app, Menu, nativeTheme, protocol, session } from 'electron/main';
import type { Json } from '../../app/base/json.ts';
import type { Show } from '../../app/contract/host.ts';
import { after } from '../base/after.ts';
import type { Core } from '../coreShape.ts';
import { createHandlers } from '../handlers.ts';
import { ElectronHost } from '../host/electronHost.ts';
import { ElectronNotes } from '../host/electronNotes.ts';
import type { Secrets } from '../host/hostServices.ts';
import { startNotifier } from '../host/notifier.ts';
import { IpcDoor } from '../ipc.ts';
import { paced } from '../paced.ts';
import { Windows } from '../windows.ts';
import { Appearance } from './appearance.ts';
import { serveAssets } from './assets.ts';
import type { Placement } from './bounds.ts';
import { guardPages } from './guard.ts';
import { keepAlive } from './keepAlive.ts';
import { KeepRunningTray } from './keepRunningTray.ts';
import { liveWork } from './liveWork.ts';
import { menuTemplate } from './menu.ts';
import { OpenWindows } from './openWindows.ts';
import type { OwnOrigins } from './origin.ts';
import type { Places } from './places.ts';
import { Quit } from './quit.ts';
import { askToQuit } from './quitDialog.ts';
import type { Texts } from './text.ts';

export interface DesktopOptions {
  readonly core: Core;
  readonly places: Places;
  readonly origins: OwnOrigins;
  readonly settings: Json;
  readonly secrets: (texts: () => Texts) => Secrets;
  /** Where the last window of an earlier run stood. */
  readonly placement: Placement | undefined;
  /** Keeps where the last window stands. */
  readonly remember: (placement: Placement) => Promise<void>;
  /** Why this host runs and not the other. */
  readonly reason: string | undefined;
  readonly onFault: (fault: unknown) => void;
}

const MAC = process.platform === 'darwin';

/** The program on the desktop: windows, menu, notes and tray over one core, and their common end. */
export class Desktop {
  readonly quit: Quit;
  readonly #options: DesktopOptions;
  readonly #appearance: Appearance;
  readonly #notes: ElectronNotes;
  readonly #windows: Windows;
  readonly #door: IpcDoor;
  readonly #open: OpenWindows;
  readonly #stops: (() => void)[] = [];
  #tray: KeepRunningTray | undefined;

  constructor(options: DesktopOptions) {
    const { core, origins, settings, onFault } = options;
    this.#options = options;
    this.#appearance = new Appearance({ app, nativeTheme, settings, changed: () => this.#dress() });
    this.#notes = new ElectronNotes({ texts: this.#texts, open: (sessionId) => this.bring({ sessionId }) });
    const host = this.#host();
    const handlers = createHandlers(core, host);
    this.#windows = new Windows({ core, source: paced(core, { after }), handlers, onFault });
    this.#door = new IpcDoor({ windows: this.#windows, origins });
    this.#open = this.#openWindows();
    this.quit = this.#quit();
    // Somebody can answer for as long as this runs, also while a window loads or none is open.
    this.#stops.push(core.attend(), startNotifier(core, host), this.#follow());
  }

  /** The first window. */
  begin(show: Show): void {
    const { places, origins } = this.#options;
    guardPages(app, session.defaultSession, origins);
    serveAssets(protocol, { root: places.assets, start: origins.start, texts: this.#texts });
    this.#dress();
    this.#listen();
    this.#open.open(show);
  }

  /** Before the person, in a window that is open or a new one. */
  bring(show: Show): void {
    if (!this.quit.stopping) this.#open.bring(show);
  }

  #listen(): void {
    app.on('before-quit', (event) => {
      event.preventDefault();
      this.quit.request();
    });
    app.on('activate', () => this.bring({}));
    // Without a listener Electron would quit by itself, and unasked.
    app.on('window-all-closed', () => {
      if (!MAC && !this.#tray) this.quit.request();
    });
  }

  #host(): ElectronHost {
    const { secrets, reason } = this.#options;
    return new ElectronHost({
      secrets: secrets(this.#texts),
      notes: this.#notes,
      texts: this.#texts,
      front: () => this.#open.front,
      reason,
    });
  }

  #openWindows(): OpenWindows {
    const { places, origins, placement, onFault } = this.#options;
    return new OpenWindows({
      preload: places.preload,
      start: origins.start,
      devTools: !app.isPackaged,
      placement,
      background: () => this.#appearance.background,
      admit: (window, name) => {
        const wire = this.#door.admit(window.webContents, name);
        keepAlive(window, { wire, texts: this.#texts, onFault });
        return wire;
      },
      mayCloseLast: () => this.#mayCloseLast(),
      opened: () => this.#dropTray(),
    });
  }

  #quit(): Quit {
    const { core, onFault } = this.#options;
    return new Quit({
      liveWork: () => liveWork(core),
      ask: (work, signal) => {
        // A window that is just being opened would be no parent for it.
        if (this.#open.front) this.bring({});
        return askToQuit({ work, texts: this.#texts(), window: this.#open.front }, signal);
      },
      keepRunning: () => this.#keepRunning(),
      stop: () => this.#stop(),
      exit: (code) => app.exit(code),
      onFault,
    });
  }

  /** The windows stay and show what ends, until nothing is left to be shown. */
  async #stop(): Promise<void> {
    const { core, remember, onFault } = this.#options;
    const { placement } = this.#open;
    this.#windows.beginClosing();
    for (const stop of this.#stops) stop();
    this.#notes.close();
    await Promise.all([core.close(), placement && remember(placement).catch(onFault)]);
    this.#door.close();
    this.#dropTray();
  }

  #mayCloseLast(): boolean {
    if (MAC || this.#tray) return true;
    this.quit.request();
    return false;
  }

  #keepRunning(): void {
    this.#tray ??= new KeepRunningTray(this.#texts(), {
      open: () => this.bring({}),
      quit: () => this.quit.request(),
    });
    this.#open.closeAll();
  }

  #dropTray(): void {
    this.#tray?.close();
    this.#tray = undefined;
  }

  #follow(): () => void {
    const paint = (): void => this.#open.paint();
    nativeTheme.on('updated', paint);
    const leave = this.#options.core.onPush((push) => {
      if (push.push === 'settings') this.#appearance.follow(push.data.settings);
    });
    return () => {
      leave();
      nativeTheme.off('updated', paint);
    };
  }

  readonly #texts = (): Texts => this.#appearance.texts;

  /** In the language and the theme of the moment. */
  #dress(): void {
    const newWindow = (): void => {
      if (!this.quit.stopping) this.#open.open();
    };
    const commands = { newWindow, reload: () => this.#open.reloadFront() };
    const template = menuTemplate({ texts: this.#texts(), commands, mac: MAC, devTools: !app.isPackaged });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    this.#open.paint();
  }
}
