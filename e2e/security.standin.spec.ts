import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AS_ROOT } from './standin/chromium.ts';
import type { App } from './fixtures/app.ts';
import { listeningIn } from './fixtures/listening.ts';
import { ROOT } from './fixtures/place.ts';
import { isAlive, treeOf } from './fixtures/processes.ts';
import { expect, test as base } from './fixtures/test.ts';

// Every line of hosts.md, Electron security, as something a page could try.

interface Fixtures {
  /** A page that is not ours, with the address that it has. */
  readonly foreign: string;
}

const test = base.extend<Fixtures>({
  foreign: async ({ folder }, use) => {
    const server: Server = createServer((request, response) => {
      if (request.url === '/moves') response.writeHead(302, { location: '/' }).end();
      else response.setHeader('content-type', 'text/html').end(`<title>foreign</title>${folder.length}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`); // it listens on a port
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

/** Loads an address into the first window as only the main process can; resolves with what came of it. */
function load(app: App, url: string): Promise<string> {
  return app.electron.evaluate(async ({ BrowserWindow }, address) => {
    try {
      await BrowserWindow.getAllWindows()[0]?.loadURL(address);
      return 'loaded';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }, url);
}

function urlIn(app: App): Promise<string | undefined> {
  return app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
}

/** The main process is asked about navigations from here on; resolves once it was asked about this one. */
async function untilAsked(app: App, url: string, begin: () => Promise<unknown>): Promise<void> {
  await app.electron.evaluate(({ BrowserWindow }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.on('will-navigate', (event) => void asked.push(`${event.url} ${event.defaultPrevented}`));
  });
  await begin();
  const asked = () => app.electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  await expect.poll(asked).toEqual([`${url} true`]);
}

test.describe('a page', () => {
  test('has no Node and no Electron, only two functions that it cannot change', async ({ ui }) => {
    const found = await ui.evaluate(() => {
      const names = ['require', 'module', 'process', 'global', 'Buffer', 'ipcRenderer', 'electron', 'contextBridge'];
      const bridge: object = Reflect.get(window, 'gatehouse');
      return {
        names: names.filter((name) => name in window),
        bridge: Object.entries(bridge).map(([name, value]) => `${name} ${typeof value}`),
        frozen: Object.isFrozen(bridge),
        kept: Reflect.set(window, 'gatehouse', 1),
      };
    });
    expect(found).toEqual({ names: [], bridge: ['request function', 'onPush function'], frozen: true, kept: false });
  });

  test('is made with every setting that keeps it apart', async ({ app, ui }) => {
    expect(ui.isClosed()).toBe(false);
    const settings = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // Not documented, and the only way to ask.
      return (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
    });
    expect(settings).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
    });
  });

  test('comes with a policy that allows nothing but its own files', async ({ ui }) => {
    const policy = await ui.evaluate(async () => (await fetch('/index.html')).headers.get('content-security-policy'));
    const directives = (policy ?? '').split(';').map((directive) => directive.trim());
    const wanted = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';
      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`;
    expect(directives).toEqual(expect.arrayContaining(wanted.split(';').map((directive) => directive.trim())));
    expect(directives.filter((directive) => /unsafe|\*|https?:/.test(directive))).toEqual([]);
  });

  test('runs no script that was written into it, and shows no frame', async ({ ui, pageFaults }) => {
    const ran = await ui.evaluate(async () => {
      const attempts = [
        () => document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' })),
        () => document.body.setAttribute('onclick', 'window.ran = 1'),
        () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.ran = 1">'),
        () => document.body.append(Object.assign(document.createElement('iframe'), { src: 'data:text/html,x' })),
      ];
      for (const attempt of attempts) {
        try {
          attempt();
        } catch {
          // Refused right away.
        }
      }
      document.body.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return 'ran' in window;
    });
    expect(ran).toBe(false);
    await expect.poll(() => pageFaults.seen.join('\n')).toMatch(/Framing .* violates/);
    pageFaults.forgive(/Content Security Policy|Trusted ?Type/i);
  });

  test('is given files of the window and no others, and only by reading', async ({ ui }) => {
    const statuses = await ui.evaluate(async () => {
      const paths = [
        '/index.html',
        '/../package.json',
        '/%2e%2e/package.json',
        '/..%2fpackage.json',
        '/assets/../../x',
        '/.git/config',
      ];
      const read = await Promise.all(paths.map(async (path) => [path, (await fetch(path)).status]));
      const written = (await fetch('/index.html', { method: 'POST', body: 'x' })).status;
      return { read: Object.fromEntries(read) as Record<string, number>, written };
    });
    const { '/index.html': own, ...others } = statuses.read;
    expect(own).toBe(200);
    expect(Object.entries(others).filter(([, status]) => status < 400)).toEqual([]);
    expect(statuses.written).toBe(405);
  });
});

test.describe('going elsewhere', () => {
  test('is refused to a page that wants to be another', async ({ app, ui }) => {
    const before = await urlIn(app);
    await untilAsked(app, 'https://elsewhere.invalid/', () =>
      ui.evaluate(() => {
        location.href = 'https://elsewhere.invalid/';
      }),
    );
    expect(await urlIn(app)).toBe(before);
    await expect(ui).toHaveTitle(/Gatehouse/);
  });

  test('is refused to a link, also to one with a scheme of the system', async ({ app, ui }) => {
    await untilAsked(app, 'https://elsewhere.invalid/', () =>
      ui.evaluate(() => {
        const link = document.createElement('a');
        link.href = 'https://elsewhere.invalid/';
        document.body.append(link);
        link.click();
      }),
    );
    await expect(ui).toHaveTitle(/Gatehouse/);
  });

  test('is refused to a redirect, whoever began it', async ({ app, ui, foreign }) => {
    expect(await load(app, `${foreign}moves`)).toMatch(/^ERR_/);
    expect(await urlIn(app)).toMatch(/^app:\/\/gatehouse\//);
    expect(ui.isClosed()).toBe(false);
  });

  test('opens no second window, neither by script nor by a link', async ({ app, ui }) => {
    const opened = await ui.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'https://elsewhere.invalid/', target: '_blank' });
      document.body.append(link);
      link.click();
      return [window.open('https://elsewhere.invalid/'), window.open('/index.html')];
    });
    expect(opened).toEqual([null, null]);
    // The main process has seen both by the time it answers this.
    expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('embeds nothing as a webview', async ({ ui }) => {
    const isPlain = await ui.evaluate(() => {
      const view = document.createElement('webview');
      return !('loadURL' in view) && !('getWebContentsId' in view);
    });
    expect(isPlain).toBe(true);
  });
});

test.describe('a permission', () => {
  test('is denied, but for writing to the clipboard', async ({ ui }) => {
    const states = await ui.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'persistent-storage', 'clipboard-write'];
      const query = async (name: string) => navigator.permissions.query({ name: name as PermissionName });
      return Promise.all(names.map(async (name) => `${name} ${(await query(name)).state}`));
    });
    expect(states).toEqual([
      'geolocation denied',
      'notifications denied',
      'persistent-storage denied',
      'clipboard-write granted',
    ]);
  });
});

test.describe('a request', () => {
  const ask = `window.gatehouse.request('session.list', {})`;

  test('is answered as forbidden when the page in the window is not ours', async ({ app, ui, foreign }) => {
    expect(await ui.evaluate<unknown>(ask)).toMatchObject({ ok: true });
    for (const url of [foreign, 'app://elsewhere/index.html', 'data:text/html,<title>foreign</title>']) {
      expect(await load(app, url), url).toBe('loaded');
      const reply = await app.electron.evaluate(
        ({ BrowserWindow }, code): Promise<unknown> | undefined =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
        ask,
      );
      expect(reply, url).toMatchObject({ ok: false, code: 'forbidden' });
    }
  });

  test('to open something outside takes only https:', async ({ door, desktop }) => {
    const refused = ['http://example.invalid/', 'file:///etc/passwd', 'javascript:alert(1)', 'mailto:a@b', 'https', ''];
    for (const url of refused) {
      expect(await door.ask('host.openExternal', { url }), url).toMatchObject({ ok: false });
    }
    expect(await door.ask('host.openExternal', { url: 'https://example.invalid/a?b#c' })).toMatchObject({ ok: true });
    expect(await desktop.calls('shell.openExternal')).toEqual([
      { api: 'shell.openExternal', args: ['https://example.invalid/a?b#c'] },
    ]);
  });
});

test.describe('the program', () => {
  test('listens on no port, and neither does anything that it starts', async ({ app, ui, env, own, folder }) => {
    expect(ui.isClosed()).toBe(false);
    const command = await app.electron.evaluate(() => process.execPath);
    // Not as the fixture starts it: a debugger listens there.
    const alone = spawn(command, [...AS_ROOT, ROOT], {
      env: { ...env, GATEHOUSE_HOME: join(folder, 'alone') },
      detached: true,
      stdio: 'ignore',
    });
    own(alone);
    const pid = alone.pid ?? 0;
    const commands = () => treeOf(pid).map(readCommand).join('\n');
    await expect.poll(commands, { timeout: 20_000 }).toContain('--type=renderer');
    expect(listeningIn(app.pid), 'with a debugger there is something to be found').not.toEqual([]);
    expect(listeningIn(pid)).toEqual([]);
  });

  test('runs once for a data folder: a second start brings the first forward and ends', async ({
    app,
    ui,
    desktop,
  }) => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    expect(await desktop.startAgain()).toBe(0);
    const state = () =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => [window.isMinimized(), window.isFocused()]),
      );
    await expect.poll(state).toEqual([[false, true]]);
    expect(isAlive(app.pid) && !ui.isClosed()).toBe(true);
  });

  test('has a preload of less than 2 kB that loads nothing but Electron', () => {
    const file = join(ROOT, 'out', 'preload', 'preload.cjs');
    expect(statSync(file).size).toBeLessThan(2000);
    const loaded = [...readFileSync(file, 'utf8').matchAll(/require\((.)(.*?)\1\)/g)].map(([, , name]) => name);
    expect(loaded).toEqual(['electron']);
  });
});

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // It has ended meanwhile.
  }
}
