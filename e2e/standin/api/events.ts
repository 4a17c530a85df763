import type { App, BrowserWindow, Event, Notification, RenderProcessGoneDetails, WebContents } from 'electron/main';

/** An event as Electron hands it over. */
export class PreventableEvent {
  #prevented = false;

  get defaultPrevented(): boolean {
    return this.#prevented;
  }

  // A property, because a listener may take it off the event.
  readonly preventDefault = (): void => {
    this.#prevented = true;
  };
}

export interface AppEvents {
  ready: [event: Event, launchInfo: object];
  'before-quit': [event: Event];
  'will-quit': [event: Event];
  quit: [event: Event, exitCode: number];
  'window-all-closed': [];
  activate: [event: Event, hasVisibleWindows: boolean];
  'second-instance': [event: Event, argv: string[], workingDirectory: string, additionalData: unknown];
  'web-contents-created': [event: Event, contents: WebContents];
  'browser-window-created': [event: Event, window: BrowserWindow];
  'browser-window-focus': [event: Event, window: BrowserWindow];
  'browser-window-blur': [event: Event, window: BrowserWindow];
  'render-process-gone': [event: Event, contents: WebContents, details: RenderProcessGoneDetails];
}

export interface WindowEvents {
  'ready-to-show': [];
  show: [];
  hide: [];
  focus: [event: Event];
  blur: [event: Event];
  minimize: [];
  restore: [];
  maximize: [];
  unmaximize: [];
  resize: [];
  move: [];
  close: [event: Event];
  closed: [];
  unresponsive: [];
  responsive: [];
}

/** Its details are also what `will-navigate` and its like carry on the event itself. */
export interface NavigationDetails {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isSameDocument: boolean;
  readonly frame: WebContents['mainFrame'] | null;
}
type Navigation = [details: Event<NavigationDetails>, url: string];

export interface ContentsEvents {
  'did-start-navigation': Navigation;
  'will-navigate': Navigation;
  'will-redirect': Navigation;
  'will-attach-webview': [event: Event];
  'did-navigate': [event: Event, url: string, httpResponseCode: number, httpStatusText: string];
  'did-navigate-in-page': [event: Event, url: string, isMainFrame: boolean];
  'did-fail-load': [event: Event, errorCode: number, errorDescription: string, url: string, isMainFrame: boolean];
  'dom-ready': [];
  'did-finish-load': [];
  'preload-error': [event: Event, preloadPath: string, error: Error];
  'render-process-gone': [event: Event, details: RenderProcessGoneDetails];
  destroyed: [];
}

export interface NotificationEvents {
  show: [event: Event];
  click: [event: Event];
  close: [event: Event];
  failed: [event: Event, error: string];
}

type Listeners<T> = { readonly [K in keyof T]: T[K] extends unknown[] ? (...args: T[K]) => void : never };

/** Compiles only while these are Electron's names and arguments. Never called. */
export function likeElectron(app: App, heard: Listeners<AppEvents>): void {
  app.on('ready', heard.ready);
  app.on('before-quit', heard['before-quit']);
  app.on('will-quit', heard['will-quit']);
  app.on('quit', heard.quit);
  app.on('window-all-closed', heard['window-all-closed']);
  app.on('activate', heard.activate);
  app.on('second-instance', heard['second-instance']);
  app.on('web-contents-created', heard['web-contents-created']);
  app.on('browser-window-created', heard['browser-window-created']);
  app.on('browser-window-focus', heard['browser-window-focus']);
  app.on('browser-window-blur', heard['browser-window-blur']);
  app.on('render-process-gone', heard['render-process-gone']);
}

export function windowLikeElectron(window: BrowserWindow, heard: Listeners<WindowEvents>): void {
  window.on('ready-to-show', heard['ready-to-show']);
  window.on('show', heard.show);
  window.on('hide', heard.hide);
  window.on('focus', heard.focus);
  window.on('blur', heard.blur);
  window.on('minimize', heard.minimize);
  window.on('restore', heard.restore);
  window.on('maximize', heard.maximize);
  window.on('unmaximize', heard.unmaximize);
  window.on('resize', heard.resize);
  window.on('move', heard.move);
  window.on('close', heard.close);
  window.on('closed', heard.closed);
  window.on('unresponsive', heard.unresponsive);
  window.on('responsive', heard.responsive);
}

export function contentsLikeElectron(contents: WebContents, heard: Listeners<ContentsEvents>): void {
  contents.on('did-start-navigation', heard['did-start-navigation']);
  contents.on('will-navigate', heard['will-navigate']);
  contents.on('will-redirect', heard['will-redirect']);
  contents.on('will-attach-webview', heard['will-attach-webview']);
  contents.on('did-navigate', heard['did-navigate']);
  contents.on('did-navigate-in-page', heard['did-navigate-in-page']);
  contents.on('did-fail-load', heard['did-fail-load']);
  contents.on('dom-ready', heard['dom-ready']);
  contents.on('did-finish-load', heard['did-finish-load']);
  contents.on('preload-error', heard['preload-error']);
  contents.on('render-process-gone', heard['render-process-gone']);
  contents.on('destroyed', heard.destroyed);
}

export function notificationLikeElectron(notification: Notification, heard: Listeners<NotificationEvents>): void {
  notification.on('show', heard.show);
  notification.on('click', heard.click);
  notification.on('close', heard.close);
  notification.on('failed', heard.failed);
}
