import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, chromium, type Browser, type Page } from 'playwright';

const ROOT = dirname(dirname(dirname(import.meta.dirname)));
const STANDIN = join(ROOT, 'e2e', 'standin');
/** Chromium refuses to confine its renderers for root. */
const AS_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const VIEWPORT = { width: 1440, height: 900 };

/** One program that hosts the core, and its window. */
export interface Running {
  readonly page: Page;
  close(): Promise<void>;
}

export interface Host {
  readonly name: string;
  start(home: string): Promise<Running>;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: AS_ROOT });
}

/** The browser host, with a window in a browser that runs already. */
export function browserHost(browser: Browser): Host {
  return {
    name: 'browser host',
    start: async (home) => {
      const child = spawn(process.execPath, [join(ROOT, 'out', 'main', 'serve.cjs')], {
        // Without a display it prints its link instead of opening a window.
        env: { ...process.env, GATEHOUSE_HOME: home, DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      const [link] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]; // What `line` tells.
      const context = await browser.newContext({ viewport: VIEWPORT });
      const page = await context.newPage();
      await page.goto(link);
      return {
        page,
        close: async () => {
          await context.close();
          await end(child);
        },
      };
    },
  };
}

/** The Electron host under the stand-in for Electron: the same main process, preload and window, another shell. */
export const standinHost: Host = {
  name: 'Electron host, stand-in',
  start: async (home) => {
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = STANDIN;
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
    );
    const electron = await _electron.launch({ args: [ROOT], env: { ...env, GATEHOUSE_HOME: home } });
    const page = await electron.firstWindow();
    await page.setViewportSize(VIEWPORT);
    return { page, close: () => end(electron.process()) };
  },
};

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = ['chromium-headless-shell', 'chromium', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  const found = places.find(isProgram);
  if (found === undefined) throw new Error('No Chromium on PATH, and CHROMIUM_PATH is not set');
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
