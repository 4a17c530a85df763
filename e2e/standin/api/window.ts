import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron/main';
import { asContents, asWindow, type Host } from '../host.ts';
import { StandinContents } from './contents.ts';
import { PreventableEvent, type WindowEvents } from './events.ts';
import { Watched } from './watched.ts';

type Members =
  | 'id'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'show'
  | 'hide'
  | 'isVisible'
  | 'focus'
  | 'blur'
  | 'isFocused'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'maximize'
  | 'unmaximize'
  | 'isMaximized'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'getTitle'
  | 'setTitle'
  | 'setBackgroundColor'
  | 'loadURL'
  | 'reload';

let lastId = 0;

export class StandinWindow extends Watched<WindowEvents> implements Pick<BrowserWindow, Members> {
  readonly id = ++lastId;
  readonly webContents: StandinContents;
  readonly #host: Host;
  readonly #life: { destroyed: boolean };
  #state: 'normal' | 'minimized' | 'maximized' = 'normal';
  #visible: boolean;
  #bounds: Rectangle;
  #title: string;
  #isPainted = false;
  #isEnding = false;

  constructor(host: Host, options: BrowserWindowConstructorOptions = {}) {
    if (!host.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    const life = { destroyed: false };
    super('BrowserWindow', () => life.destroyed);
    this.#life = life;
    this.#host = host;
    this.#visible = options.show !== false;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.#title = options.title ?? host.name;
    this.webContents = new StandinContents(host, this, { width, height, webPreferences: secured(options) });
    host.windows.add(this);
    host.app.emit('web-contents-created', new PreventableEvent(), asContents(this.webContents));
    host.app.emit('browser-window-created', new PreventableEvent(), asWindow(this));
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  reload(): void {
    this.webContents.reload();
  }

  show(): void {
    if (!this.#visible) {
      this.#visible = true;
      this.emit('show');
    }
    this.focus();
  }

  hide(): void {
    this.blur();
    this.#visible = false;
    this.emit('hide');
  }

  isVisible(): boolean {
    return this.#visible && this.#state !== 'minimized';
  }

  focus(): void {
    const { focused } = this.#host;
    if (focused === this || !this.isVisible()) return;
    focused?.blur();
    this.#host.focused = this;
    this.emit('focus', new PreventableEvent());
    this.#host.app.emit('browser-window-focus', new PreventableEvent(), asWindow(this));
  }

  blur(): void {
    if (this.#host.focused !== this) return;
    this.#host.focused = undefined;
    this.emit('blur', new PreventableEvent());
    this.#host.app.emit('browser-window-blur', new PreventableEvent(), asWindow(this));
  }

  isFocused(): boolean {
    return this.#host.focused === this;
  }

  minimize(): void {
    this.blur();
    this.#state = 'minimized';
    this.emit('minimize');
  }

  restore(): void {
    if (this.#state === 'normal') return;
    this.#state = 'normal';
    this.emit('restore');
    this.focus();
  }

  isMinimized(): boolean {
    return this.#state === 'minimized';
  }

  maximize(): void {
    this.#state = 'maximized';
    this.emit('maximize');
  }

  unmaximize(): void {
    if (this.#state !== 'maximized') return;
    this.#state = 'normal';
    this.emit('unmaximize');
  }

  isMaximized(): boolean {
    return this.#state === 'maximized';
  }

  getBounds(): Rectangle {
    return this.#bounds;
  }

  getNormalBounds(): Rectangle {
    return this.#bounds;
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('resize');
    this.emit('move');
    void this.webContents._page.then(async ({ target, targetId }) => {
      const { windowId } = await target.send('Browser.getWindowForTarget', { targetId });
      await target.send('Browser.setWindowBounds', { windowId, bounds: this.#bounds });
    });
  }

  getTitle(): string {
    return this.webContents.getTitle() || this.#title;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  /** Seen only before the page has painted, so by nobody here. */
  setBackgroundColor(): void {}

  /** Asks the app first. */
  close(): void {
    if (this.#isEnding) return;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) this.#host.app._closePrevented();
    else this.destroy();
  }

  destroy(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    void this.#end();
  }

  isDestroyed(): boolean {
    return this.#life.destroyed;
  }

  /** Of the page: it has been drawn for the first time. */
  _painted(): void {
    if (this.#isPainted) return;
    this.#isPainted = true;
    this.emit('ready-to-show');
  }

  /** What `window.open` leads to where the app has not refused it. */
  _openAnother(url: string): void {
    void new StandinWindow(this.#host).loadURL(url).catch(() => undefined);
  }

  /** Its page is gone, whoever closed it. */
  _gone(): void {
    if (this.#life.destroyed) return;
    this.#isEnding = true;
    this.blur();
    this.#host.windows.delete(this);
    this.webContents._destroyed();
    this.#life.destroyed = true;
    this.emit('closed');
    this.#host.app._windowClosed();
  }

  async #end(): Promise<void> {
    try {
      const { targetId } = await this.webContents._page;
      await this.#host.chromium.connection.browser.send('Target.closeTarget', { targetId });
    } catch {
      // It was gone, or never there.
      this._gone();
    }
  }
}

/** Only what the stand-in can be: a window without these would look as if it had them. */
function secured({ webPreferences = {} }: BrowserWindowConstructorOptions): NonNullable<typeof webPreferences> {
  const settings = {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    ...webPreferences,
  };
  const { sandbox, contextIsolation, nodeIntegration, webviewTag } = settings;
  if (!sandbox || !contextIsolation || nodeIntegration || webviewTag) {
    throw new Error(
      'electron stand-in: only sandboxed, context-isolated windows without Node and webviews are supported',
    );
  }
  return settings;
}
