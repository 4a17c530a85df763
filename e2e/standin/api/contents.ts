import type { IpcMainInvokeEvent, WebContents, WebFrameMain, WebPreferences } from 'electron/main';
import type { Protocol } from '../cdp.ts';
import { asContents, type Host } from '../host.ts';
import { Navigations } from '../navigations.ts';
import { Page, type PageListener } from '../page.ts';
import { encode } from '../page/codec.ts';
import { originOf, toApp, toWeb } from '../schemes.ts';
import { PreventableEvent, type ContentsEvents, type NavigationDetails } from './events.ts';
import { answerInvoke } from './ipcMain.ts';
import { applyPermissions } from './session.ts';
import { Watched } from './watched.ts';

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];
type Frame = Pick<WebFrameMain, 'url' | 'origin' | 'parent' | 'frames' | 'processId' | 'routingId' | 'detached'>;

export interface ContentsOptions {
  readonly width: number;
  readonly height: number;
  readonly webPreferences: WebPreferences;
}

/** The window that these are the contents of. */
export interface OwnWindow {
  close(): void;
  _painted(): void;
  _openAnother(url: string): void;
}

let lastId = 0;

export class StandinContents
  extends Watched<ContentsEvents>
  implements
    Pick<WebContents, 'id' | 'send' | 'getURL' | 'isDestroyed' | 'isCrashed' | 'reload' | 'loadURL' | 'close'>,
    Pick<WebContents, 'forcefullyCrashRenderer' | 'setWindowOpenHandler' | 'executeJavaScript' | 'getTitle'>
{
  readonly id = ++lastId;
  readonly #host: Host;
  readonly #window: OwnWindow;
  readonly #preferences: WebPreferences;
  readonly #page: Promise<Page>;
  readonly #life: { destroyed: boolean };
  #targetId: string | undefined;
  #navigations: Navigations | undefined;
  #open: OpenHandler = () => ({ action: 'allow' });
  #frame: Frame;
  #url = '';
  #title = '';
  #crashed = false;
  #loaded: PromiseWithResolvers<void> | undefined;
  #unreachable = false;

  constructor(host: Host, window: OwnWindow, options: ContentsOptions) {
    const life = { destroyed: false };
    super('webContents', () => life.destroyed);
    this.#life = life;
    this.#host = host;
    this.#window = window;
    this.#preferences = options.webPreferences;
    this.#frame = frameOf('');
    this.#page = this.#openPage(options);
    if (host.theme !== 'system') this._themed();
    this.#page.catch((fault: unknown) => console.error('electron stand-in: the window could not be opened', fault));
  }

  get mainFrame(): WebFrameMain {
    return this.#frame as WebFrameMain; // it has what the app looks at
  }

  send(channel: string, ...args: unknown[]): void {
    const message = { kind: 'event', channel, args: encode(args) } as const;
    void this.#page.then((page) => page.deliver(message));
  }

  getURL(): string {
    return this.#url;
  }

  getTitle(): string {
    return this.#title;
  }

  isDestroyed(): boolean {
    return this.#life.destroyed;
  }

  isCrashed(): boolean {
    return this.#crashed;
  }

  /** Not of Electron's documented API, but there: what tests read the settings of a window from. */
  getLastWebPreferences(): WebPreferences {
    return this.#preferences;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#open = handler;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page;
    const webUrl = toWeb(url, this.#host.schemes.privileged);
    const contents = asContents(this);
    await applyPermissions(this.#host.permissions, this.#host.chromium.connection.browser, { contents, url, webUrl });
    const loaded = Promise.withResolvers<void>();
    this.#loaded = loaded;
    this.#navigations?.expect(url);
    const { errorText } = await page.target.send('Page.navigate', { url: webUrl });
    if (errorText) throw new Error(`${errorText.replace('net::', '')} loading '${url}'`);
    await loaded.promise;
  }

  reload(): void {
    void this.#page.then(async (page) => {
      this.#navigations?.expect(this.#url);
      await page.target.send('Page.reload');
    });
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.#page).evaluate(code);
  }

  forcefullyCrashRenderer(): void {
    // The command has no answer: whoever would give it is gone.
    void this.#page.then((page) => page.target.send('Page.crash')).catch(() => undefined);
  }

  close(): void {
    this.#window.close();
  }

  /** The window's own: Chromium's page, and its end. */
  get _page(): Promise<Page> {
    return this.#page;
  }

  /** Undefined until the page is there. */
  get _targetId(): string | undefined {
    return this.#targetId;
  }

  _destroyed(): void {
    this.#life.destroyed = true;
    this.emit('destroyed');
  }

  _titled(title: string): void {
    this.#title = title;
  }

  _themed(): void {
    const { theme } = this.#host;
    const features = theme === 'system' ? [] : [{ name: 'prefers-color-scheme', value: theme }];
    void this.#page.then((page) => page.target.send('Emulation.setEmulatedMedia', { features }));
  }

  async #openPage(options: ContentsOptions): Promise<Page> {
    const { width, height, webPreferences } = options;
    const { connection } = this.#host.chromium;
    const page = await Page.open(connection, { width, height, preload: webPreferences.preload }, this.#listener());
    this.#targetId = page.targetId;
    this.#navigations = new Navigations({
      schemes: this.#host.schemes,
      page,
      frame: () => this.mainFrame,
      ask: (question, details) => this.#ask(question, details),
    });
    return page;
  }

  #ask(name: 'will-navigate' | 'will-redirect' | 'did-start-navigation', details: NavigationDetails): boolean {
    const event = Object.assign(new PreventableEvent(), details);
    this.emit(name, event, details.url);
    return !event.defaultPrevented;
  }

  #listener(): PageListener {
    return {
      requested: (request) => void this.#navigations?.requested(request),
      started: (navigation) => this.#navigations?.started(navigation),
      committed: (url, unreachable) => this.#committed(toApp(url), unreachable),
      movedWithin: (url) => this.#movedWithin(toApp(url)),
      domReady: () => this.emit('dom-ready'),
      loaded: () => this.#finished(),
      opened: (request) => this.#opened(request),
      crashed: () => this.#gone(),
      preloadFailed: (error) => this.#preloadFailed(error),
      posted: (json, context) => void this.#posted(json, context),
    };
  }

  #committed(url: string, unreachable: boolean): void {
    this.#crashed = false;
    this.#url = url;
    this.#unreachable = unreachable;
    this.#frame = frameOf(url);
    this.#navigations?.arrived();
    if (!unreachable) this.emit('did-navigate', new PreventableEvent(), url, 200, 'OK');
    else this.emit('did-fail-load', new PreventableEvent(), -2, 'ERR_FAILED', url, true);
  }

  #movedWithin(url: string): void {
    this.#url = url;
    this.emit('did-navigate-in-page', new PreventableEvent(), url, true);
  }

  #finished(): void {
    if (this.#url === '' || this.#unreachable) return;
    this.emit('did-finish-load');
    this.#loaded?.resolve();
    this.#window._painted();
  }

  #gone(): void {
    this.#crashed = true;
    const details = { reason: 'crashed', exitCode: 5 } as const;
    this.emit('render-process-gone', new PreventableEvent(), details);
    this.#host.app.emit('render-process-gone', new PreventableEvent(), asContents(this), details);
  }

  #preloadFailed(error: Error): void {
    const path = this.#preferences.preload ?? '';
    console.error(`Unable to load preload script: ${path}\n`, error);
    this.emit('preload-error', new PreventableEvent(), path, error);
  }

  #opened({ url, windowName, windowFeatures }: Protocol.Page.windowOpenPayload): void {
    const answer = this.#open({
      url: toApp(url),
      frameName: windowName,
      features: windowFeatures.join(','),
      disposition: 'foreground-tab',
      referrer: { url: this.#url, policy: 'strict-origin-when-cross-origin' },
    });
    if (answer.action === 'allow') this.#window._openAnother(toApp(url));
  }

  async #posted(json: string, context: number): Promise<void> {
    const frame = { type: 'frame', processId: 1, frameId: 1, senderFrame: this.mainFrame } as const;
    const event: IpcMainInvokeEvent = Object.assign(new PreventableEvent(), { ...frame, sender: asContents(this) });
    const answer = await answerInvoke(this.#host.ipc, event, json);
    (await this.#page).deliver(answer, context);
  }
}

function frameOf(url: string): Frame {
  const origin = originOf(url);
  return { url, origin, parent: null, frames: [], processId: 1, routingId: 1, detached: false };
}
