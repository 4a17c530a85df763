import { dialog, type BrowserWindow } from 'electron/main';
import { crashUrl, isCrashUrl } from './crashPage.ts';
import { Crashes } from './crashes.ts';
import type { Texts } from './text.ts';
import type { Wire } from './wire.ts';

export interface KeepAliveOptions {
  readonly wire: Wire;
  readonly texts: () => Texts;
  readonly onFault: (fault: unknown) => void;
}

/** An own page that fails to load or to live is not tried again at once. */
const CALM_MS = 5_000;
/** Loading was called off, by another one. */
const ABORTED = -3;

/** A window is never left empty: what ended is loaded again, or a page says so; what does not respond is asked about. */
export function keepAlive(window: BrowserWindow, options: KeepAliveOptions): void {
  const { webContents: contents } = window;
  const crashes = new Crashes();
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    options.onFault(new Error(`The page of a window ended: ${reason}`));
    const { kind, afterMs } = crashes.next(Date.now());
    // Never within the event: Electron has not finished with the old process.
    later(window, afterMs, () => {
      if (kind === 'reload') contents.reload();
      else void showError(window, contents.getURL());
    });
  });
  contents.on('did-fail-load', (...[, code, description, url, isMainFrame]) => {
    if (!isMainFrame || code === ABORTED) return;
    options.onFault(new Error(`The page of a window could not be loaded: ${description} (${code})`));
    later(window, isCrashUrl(url) ? CALM_MS : 0, () => void showError(window, url));
  });
  contents.on('preload-error', (_event, _path, fault) => options.onFault(fault));
  watchResponse(window, options);
}

/** A load that fails is told by `did-fail-load`. */
async function showError(window: BrowserWindow, from: string): Promise<void> {
  await window.loadURL(crashUrl(from)).catch(() => undefined);
}

function later(window: BrowserWindow, ms: number, job: () => void): void {
  setTimeout(() => {
    if (!window.isDestroyed()) job();
  }, ms).unref();
}

/** Nothing is sent meanwhile, so that it does not pile up; the person decides how long. */
function watchResponse(window: BrowserWindow, { wire, texts, onFault }: KeepAliveOptions): void {
  let asking: AbortController | undefined;
  const over = (): void => {
    asking?.abort();
    wire.release();
  };
  window.on('unresponsive', () => {
    wire.hold();
    if (asking) return;
    asking = new AbortController();
    const asked = ask(window, texts(), asking.signal).catch(onFault);
    void asked.then(() => (asking = undefined));
  });
  window.on('responsive', over);
  window.on('closed', over);
  window.webContents.on('render-process-gone', over);
}

async function ask(window: BrowserWindow, { unresponsive }: Texts, signal: AbortSignal): Promise<void> {
  const { title: message, detail, wait, reload } = unresponsive;
  const choice = { buttons: [wait, reload], defaultId: 0, cancelId: 0, noLink: true };
  const { response } = await dialog.showMessageBox(window, { type: 'warning', message, detail, ...choice, signal });
  // What follows is what follows every end of a page.
  if (!signal.aborted && response === 1) window.webContents.forcefullyCrashRenderer();
}
