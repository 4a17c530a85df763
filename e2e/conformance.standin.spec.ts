import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base } from './fixtures/test.ts';
import { STANDIN } from './fixtures/place.ts';

// What the product relies on of Electron. Each sentence holds for the real binary and for what takes its place; where the
// stand-in could be wrong about Electron, it says so here first.

const APP = join(import.meta.dirname, 'conformance');

interface Seen {
  readonly heard: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
}

/** What the page of the conformance app has of its preload. */
interface Bridge {
  ask(channel: string, ...args: unknown[]): Promise<unknown>;
  onSent(listener: (...args: unknown[]) => void): () => void;
  call(back: (value: unknown) => unknown): unknown;
  fault(): void;
  readonly world: Readonly<Record<string, string>>;
}
declare global {
  interface Window {
    readonly bridge: Bridge;
  }
  var seen: Seen;
  var openWindow: (url: string, options?: object) => number;
}

interface Fixtures {
  readonly start: (variables?: Record<string, string>) => Promise<ElectronApplication>;
  readonly electron: ElectronApplication;
  readonly page: Page;
}

const test = base.extend<Fixtures>({
  start: async ({ host, folder, own }, use) => {
    if (host === 'standin') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = STANDIN;
    const environment = Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []));
    await use(async (variables = {}) => {
      const env = { ...Object.fromEntries(environment), CONFORMANCE_DATA: join(folder, 'data'), ...variables };
      const electron = await _electron.launch({ args: [APP], env });
      own(electron.process());
      return electron;
    });
  },
  electron: async ({ start }, use) => use(await start()),
  page: async ({ electron }, use) => {
    const page = await electron.firstWindow();
    await expect(page.locator('p')).toHaveText('héllo');
    await use(page);
  },
});

const seenBy = (electron: ElectronApplication) => electron.evaluate(() => globalThis.seen);
const heardBy = async (electron: ElectronApplication) => (await seenBy(electron)).heard;

test.describe('before ready', () => {
  test('refuses a window and a protocol handler; after it, refuses to name a scheme', async ({ electron, page }) => {
    expect(await page.title()).toBe('/index.html');
    const { refused } = await seenBy(electron);
    expect(refused['window before ready']).toMatch(/before app is ready/);
    expect(refused['protocol before ready']).not.toBe('allowed');
    expect(refused['schemes after ready']).toMatch(/before app is ready/);
  });
});

test.describe('windows', () => {
  test('is drawn before it says that it is ready to be shown, and shown windows get the focus', async ({
    electron,
    page,
  }) => {
    await expect.poll(() => heardBy(electron)).toContain('window1 show');
    const heard = await heardBy(electron);
    expect(heard.indexOf('window1 did-navigate')).toBeLessThan(heard.indexOf('window1 dom-ready'));
    expect(heard.indexOf('window1 dom-ready')).toBeLessThan(heard.indexOf('window1 ready-to-show'));
    expect(heard.indexOf('window1 ready-to-show')).toBeLessThan(heard.indexOf('window1 show'));
    expect(await page.evaluate(() => [innerWidth > 500, innerHeight > 300])).toEqual([true, true]);
  });

  test('keeps where it was while it is minimised', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const states = await electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (!window) return [];
      const before = window.getNormalBounds();
      window.minimize();
      const minimised = window.isMinimized();
      window.restore();
      return [minimised, window.getNormalBounds().width === before.width, before.width];
    });
    expect(states).toEqual([true, true, 700]);
  });

  test('asks before it closes, and a listener can prevent it', async ({ electron, page }) => {
    await electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.once('close', (event) => event.preventDefault());
      window?.close();
    });
    expect(page.isClosed()).toBe(false);
    const closed = page.waitForEvent('close');
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await closed;
  });

  test('answers nothing once it is destroyed, except that it is', async ({ electron, page }) => {
    await electron.evaluate(({ app, BrowserWindow }) => {
      app.on('window-all-closed', () => undefined);
      const [window] = BrowserWindow.getAllWindows();
      if (!window) return;
      const { webContents } = window;
      Object.assign(globalThis, { gone: { window, webContents } });
      window.destroy();
    });
    await expect.poll(() => page.isClosed()).toBe(true);
    await expect.poll(() => heardBy(electron)).toContain('window1 closed');
    const after = await electron.evaluate(() => {
      const { window, webContents } = (
        globalThis as unknown as Record<'gone', { window: Electron.BrowserWindow; webContents: Electron.WebContents }>
      ).gone;
      const messageOf = (work: () => unknown): string => {
        try {
          return String(work());
        } catch (error) {
          return error instanceof Error ? error.message : '';
        }
      };
      return [
        window.isDestroyed(),
        webContents.isDestroyed(),
        messageOf(() => window.getBounds()),
        messageOf(() => webContents.send('sent', 1)),
      ];
    });
    expect(after).toEqual([true, true, 'Object has been destroyed', 'Object has been destroyed']);
  });

  test('has the settings that it was made with', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const settings = await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // Not documented, and the only way to ask.
      return (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
    });
    expect(settings).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
  });
});

test.describe('protocol', () => {
  test('answers for the scheme with what the handler returns, and gives it the address as the app knows it', async ({
    electron,
    page,
  }) => {
    expect(await page.evaluate(async () => (await fetch('/data?x=1')).status)).toBe(200);
    const { messages } = await seenBy(electron);
    expect(messages).toContainEqual({ request: 'app://conformance/index.html', method: 'GET' });
    expect(messages).toContainEqual({ request: 'app://conformance/data?x=1', method: 'GET' });
    await page.evaluate(() => fetch('/data', { method: 'POST', body: 'x' }));
    expect((await seenBy(electron)).messages).toContainEqual({ request: 'app://conformance/data', method: 'POST' });
  });

  test('enforces the policy that comes with a page', async ({ page }) => {
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return 'ran' in window;
    });
    expect(ran).toBe(false);
    await expect(page.evaluate(() => fetch('https://elsewhere.invalid/'))).rejects.toThrow(/fetch/i);
  });
});

test.describe('preload', () => {
  test('has `require` and `process` in a world of its own, and the page has neither', async ({ page }) => {
    expect(await page.evaluate(() => window.bridge.world)).toEqual({ process: 'object', require: 'function' });
    expect(
      await page.evaluate(() => ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in window)),
    ).toEqual([]);
  });

  test('gives functions both ways, errors as their message, and nothing that a page can change', async ({ page }) => {
    const found = await page.evaluate(() => {
      'use strict';
      let message = '';
      try {
        window.bridge.fault();
      } catch (error) {
        message = error instanceof Error ? error.message : '';
      }
      return [Object.isFrozen(window.bridge), window.bridge.call((value) => JSON.stringify(value)), message];
    });
    expect(found).toEqual([true, '{"two":[1,2]}', 'in the preload']);
  });

  test('that is no file, or no script, is told as an error and the page loads without it', async ({
    electron,
    page,
    folder,
  }) => {
    writeFileSync(join(folder, 'module.cjs'), 'import "electron";\n');
    expect(page.isClosed()).toBe(false);
    for (const preload of [join(folder, 'missing.cjs'), join(folder, 'module.cjs')]) {
      const [other] = await Promise.all([
        electron.waitForEvent('window'),
        electron.evaluate((_electron, path) => {
          globalThis.openWindow('app://conformance/index.html', { webPreferences: { preload: path } });
        }, preload),
      ]);
      await expect(other.locator('p')).toHaveText('héllo');
      expect(await other.evaluate(() => 'bridge' in window)).toBe(false);
      await expect.poll(async () => (await heardBy(electron)).join('\n')).toContain(`preload-error ${preload}`);
    }
  });
});

test.describe('ipc', () => {
  test('carries what can be cloned, and says from which frame it came', async ({ electron, page }) => {
    const back = await page.evaluate(async () => {
      const given = {
        at: new Date(5),
        list: [1, undefined, -0],
        bytes: new Uint8Array([1, 2]),
        map: new Map([['a', 1n]]),
      };
      const got = (await window.bridge.ask('echo', given)) as typeof given;
      return [got.at.getTime(), got.list.length, Object.is(got.list[2], -0), got.bytes[1], got.map.get('a') === 1n];
    });
    expect(back).toEqual([5, 3, true, 2, true]);
    const { messages } = await seenBy(electron);
    expect(messages.at(-1)).toMatchObject({ url: 'app://conformance/index.html', isTop: true });
  });

  test('refuses a function in a payload, in either direction', async ({ electron, page }) => {
    const asked = page.evaluate(async () => window.bridge.ask('echo', () => 1));
    await expect(asked).rejects.toThrow(/could not be cloned/);
    await expect(page.evaluate(() => window.bridge.ask('uncloneable'))).rejects.toThrow();
    const sent = electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.send('sent', () => 1),
    );
    await expect(sent).rejects.toThrow();
  });

  test('tells a failure by its text alone', async ({ page }) => {
    const failed = page.evaluate(() => window.bridge.ask('fail'));
    await expect(failed).rejects.toThrow(/Error invoking remote method 'fail': RangeError: it does not fit/);
    const unknown = page.evaluate(() => window.bridge.ask('nobody'));
    await expect(unknown).rejects.toThrow(/No handler registered for 'nobody'/);
  });

  test('takes one handler for a channel', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const { refused } = await seenBy(electron);
    expect(refused['second handler']).toMatch(/second handler/);
  });

  test('delivers what is sent in order, and to nobody once the listener is off', async ({ electron, page }) => {
    await page.evaluate(() => {
      const got: unknown[] = [];
      const undo = window.bridge.onSent((value) => got.push(value));
      Object.assign(window, { got, undo });
    });
    const send = (from: number) =>
      electron.evaluate(({ BrowserWindow }, first) => {
        for (let at = first; at < first + 100; at++) BrowserWindow.getAllWindows()[0]?.webContents.send('sent', at);
      }, from);
    await send(0);
    const got = () => page.evaluate(() => (window as unknown as { got: unknown[] }).got);
    await expect.poll(async () => (await got()).length).toBe(100);
    expect(await got()).toEqual(Array.from({ length: 100 }, (_, at) => at));
    await page.evaluate(() => (window as unknown as { undo(): void }).undo());
    await send(100);
    await page.evaluate(() => window.bridge.ask('echo', 'later'));
    expect((await got()).length).toBe(100);
  });
});

test.describe('navigation', () => {
  const prevent = (electron: ElectronApplication, name: 'will-navigate' | 'will-redirect') =>
    electron.evaluate(({ BrowserWindow }, event) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      // One name at a time; both have these details.
      contents?.on(event as 'will-navigate', (details) => {
        asked.push(details.url);
        details.preventDefault();
      });
    }, name);
  const asked = (electron: ElectronApplication) =>
    electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

  test('asks before a page goes elsewhere, and a prevented one stays', async ({ electron, page }) => {
    await prevent(electron, 'will-navigate');
    const before = page.url();
    await page.evaluate(() => {
      location.href = 'https://elsewhere.invalid/';
    });
    await expect.poll(() => asked(electron)).toEqual(['https://elsewhere.invalid/']);
    expect(await page.evaluate(() => document.title)).toBe('/index.html');
    expect(page.url()).toBe(before);
  });

  test('asks before a redirect is followed', async ({ electron, page }) => {
    await prevent(electron, 'will-redirect');
    await page.evaluate(() => {
      location.href = '/moved';
    });
    await expect.poll(() => asked(electron)).toEqual(['https://elsewhere.invalid/']);
    expect(await page.evaluate(() => document.title)).toBe('/index.html');
  });

  test('does not ask about what the app itself loads, and tells where it has arrived', async ({ electron, page }) => {
    await prevent(electron, 'will-navigate');
    await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.loadURL('app://conformance/other.html'),
    );
    await expect(page).toHaveTitle('/other.html');
    expect(await asked(electron)).toEqual([]);
    const url = await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
    expect(url).toBe('app://conformance/other.html');
  });

  test('opens no window that the handler denies', async ({ electron, page }) => {
    await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.setWindowOpenHandler(() => ({ action: 'deny' })),
    );
    expect(await page.evaluate(() => window.open('app://conformance/popup') === null)).toBe(true);
    expect(electron.windows()).toHaveLength(1);
  });

  test('tells of an address that cannot be loaded', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const message = await electron.evaluate(async ({ BrowserWindow }) => {
      try {
        await BrowserWindow.getAllWindows()[0]?.loadURL('https://elsewhere.invalid/');
        return 'loaded';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    });
    expect(message).toMatch(/^ERR_.* loading 'https:\/\/elsewhere.invalid\/'/);
    await expect.poll(() => heardBy(electron)).toContain('window1 did-fail-load');
  });

  test('denies what the permission handlers deny', async ({ page }) => {
    const states = await page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'persistent-storage'] as const;
      return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
    });
    expect(states).toEqual(['denied', 'denied', 'denied']);
  });
});

test.describe('a renderer that goes', () => {
  test('comes back by a reload, with a new preload and what the page had stored', async ({ electron, page }) => {
    await page.evaluate(() => sessionStorage.setItem('kept', 'yes'));
    await page.reload();
    expect(await page.evaluate(() => [sessionStorage.getItem('kept'), typeof window.bridge.ask])).toEqual([
      'yes',
      'function',
    ]);
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    await expect
      .poll(async () => (await heardBy(electron)).filter((name) => name === 'window1 did-navigate').length)
      .toBe(3);
  });

  test('is told as gone when it crashes, and a reload brings it back in the same window', async ({
    electron,
    page,
  }) => {
    await page.evaluate(() => sessionStorage.setItem('kept', 'yes'));
    await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.once('render-process-gone', () => {
        Object.assign(globalThis, { crashed: contents.isCrashed() });
        contents.reload();
      });
      contents?.forcefullyCrashRenderer();
    });
    await expect.poll(async () => (await heardBy(electron)).join('\n')).toMatch(/window1 gone (crashed|killed)/);
    await expect
      .poll(async () => (await heardBy(electron)).filter((name) => name === 'window1 did-finish-load').length)
      .toBe(2);
    const after = await electron.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const inPage: unknown = await contents?.executeJavaScript(
        `window.bridge.ask('echo', sessionStorage.getItem('kept')).then((kept) => [document.title, kept])`,
      );
      return [
        (globalThis as unknown as { crashed: boolean }).crashed,
        contents?.isCrashed(),
        contents?.getURL(),
        inPage,
      ];
    });
    expect(after).toEqual([true, false, 'app://conformance/index.html', ['/index.html', 'yes']]);
  });
});

test.describe('the end', () => {
  const quit = async (electron: ElectronApplication) => {
    const ended = once(electron.process(), 'exit');
    await electron.evaluate(({ app }) => app.quit()).catch(() => undefined);
    const [code] = await ended;
    return code as number;
  };

  test('asks, closes the windows, and ends with 0', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const told = electron.waitForEvent('console', (message) => message.text().startsWith('told:'));
    await electron.evaluate(({ app }) => {
      app.on('quit', () =>
        console.log(`told:${globalThis.seen.heard.filter((name) => /quit|window1 clos/.test(name)).join(',')}`),
      );
    });
    expect(await quit(electron)).toBe(0);
    expect((await told).text()).toBe('told:app before-quit,window1 close,window1 closed,app will-quit,app quit');
  });

  test('is put off by a listener that prevents it, and comes at the second time', async ({ electron, page }) => {
    await electron.evaluate(({ app }) => {
      app.once('before-quit', (event) => event.preventDefault());
      app.quit();
    });
    expect(await page.title()).toBe('/index.html');
    expect(await quit(electron)).toBe(0);
  });

  test('is called off when a window does not close', async ({ electron, page }) => {
    await electron.evaluate(({ app, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.once('close', (event) => event.preventDefault());
      app.quit();
    });
    expect(await page.title()).toBe('/index.html');
    expect(await quit(electron)).toBe(0);
  });

  test('asks nobody when the app exits, and has the code that it was given', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const ended = once(electron.process(), 'exit');
    await electron
      .evaluate(({ app, BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.on('close', (event) => event.preventDefault());
        app.exit(7);
      })
      .catch(() => undefined);
    expect((await ended)[0]).toBe(7);
  });

  test('does not come with the last window where the app wants to stay', async ({ start }) => {
    const electron = await start({ CONFORMANCE_STAYS: '1' });
    const page = await electron.firstWindow();
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
    await expect.poll(() => page.isClosed()).toBe(true);
    await expect.poll(() => heardBy(electron)).toContain('app window-all-closed');
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  });
});

test.describe('a second start', () => {
  test('ends with 0 at once, and the first hears where it was started and what it said', async ({
    electron,
    page,
    folder,
    own,
    host,
  }) => {
    expect(page.isClosed()).toBe(false);
    const command = await electron.evaluate(() => process.execPath);
    const env = { ...process.env, CONFORMANCE_DATA: join(folder, 'data'), CONFORMANCE_WORD: `from ${host}` };
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const second = spawn(command, [...root, APP], { cwd: folder, env, detached: true, stdio: 'inherit' });
    own(second);
    const [code] = await once(second, 'exit');
    expect(code).toBe(0);
    await expect
      .poll(async () => (await seenBy(electron)).messages)
      .toContainEqual({ workingDirectory: folder, word: `from ${host}` });
  });
});

test.describe('around the windows', () => {
  test('finds and presses an item of the menu, and refuses an item that is nothing', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const found = await electron.evaluate(({ Menu }) => {
      const pressed: string[] = [];
      const menu = Menu.buildFromTemplate([
        {
          label: 'File',
          submenu: [{ id: 'a', label: 'A', click: () => void pressed.push('a') }, { type: 'separator' }],
        },
      ]);
      Menu.setApplicationMenu(menu);
      Menu.getApplicationMenu()?.getMenuItemById('a')?.click();
      let refused = '';
      try {
        Menu.buildFromTemplate([{}]);
      } catch (error) {
        refused = error instanceof Error ? error.message : '';
      }
      return [pressed, refused];
    });
    expect(found).toEqual([['a'], expect.stringMatching(/label, role or type/)]);
  });

  test('tells when the theme changes, and pages see it', async ({ electron, page }) => {
    const changes = await electron.evaluate(({ nativeTheme }) => {
      let count = 0;
      nativeTheme.on('updated', () => count++);
      nativeTheme.themeSource = 'dark';
      return [count, nativeTheme.shouldUseDarkColors];
    });
    expect(changes).toEqual([1, true]);
    await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
  });

  test('reads what it has encrypted', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const read = await electron.evaluate(({ safeStorage }) => {
      if (!safeStorage.isEncryptionAvailable()) return 'sécret';
      const encrypted = safeStorage.encryptString('sécret');
      return encrypted.includes('sécret') ? 'in the clear' : safeStorage.decryptString(encrypted);
    });
    expect(read).toBe('sécret');
  });

  test('shows a notification, or says that it cannot', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const heard = await electron.evaluate(async ({ Notification }) => {
      if (!Notification.isSupported()) return 'unsupported';
      const notification = new Notification({ title: 'Conformance', body: 'A word', silent: true });
      const shown = new Promise((resolve) => {
        notification.once('show', () => resolve('shown'));
        notification.once('failed', () => resolve('failed'));
      });
      notification.show();
      const how = await shown;
      notification.close();
      return `${String(how)} ${notification.title}`;
    });
    expect(['unsupported', 'shown Conformance', 'failed Conformance']).toContain(heard);
  });

  test('takes an image for the tray, and knows a display', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const found = await electron.evaluate(({ nativeImage, Tray, screen }) => {
      const image = nativeImage.createFromBitmap(Buffer.alloc(16 * 16 * 4), { width: 16, height: 16 });
      const tray = new Tray(image);
      tray.setToolTip('Conformance');
      tray.destroy();
      return [image.isEmpty(), image.getSize(), tray.isDestroyed(), screen.getPrimaryDisplay().workArea.width > 0];
    });
    expect(found).toEqual([false, { width: 16, height: 16 }, true, true]);
  });

  test('lets a test answer for the person and for the desktop', async ({ electron, page }) => {
    expect(page.isClosed()).toBe(false);
    const answers = await electron.evaluate(async ({ dialog, shell }) => {
      const opened: string[] = [];
      dialog.showMessageBox = () => Promise.resolve({ response: 2, checkboxChecked: false });
      shell.openExternal = async (url) => void opened.push(url);
      await shell.openExternal('https://example.invalid/');
      return [(await dialog.showMessageBox({ message: 'x' })).response, opened];
    });
    expect(answers).toEqual([2, ['https://example.invalid/']]);
  });
});
