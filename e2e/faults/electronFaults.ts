import { standin, type Fault } from './fault.ts';

const SECURITY = 'security.standin.spec.ts';
const HOST = 'host.spec.ts';

/** Of the Electron host: what only a test that starts the built app can see. */
export const electronFaults: readonly Fault[] = [
  {
    name: 'the preload is looked for where it is not',
    edits: [{ file: 'main/electron/places.ts', from: `'preload.cjs'`, to: `'preload.js'` }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'the preload exposes another name',
    edits: [{ file: 'preload/preload.ts', from: `('gatehouse',`, to: `('gatehouses',` }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'a function goes into a payload',
    edits: [{ file: 'preload/preload.ts', from: '(REQUEST, name, input)', to: '(REQUEST, name, input, () => 1)' }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'the preload takes something of Node',
    edits: [
      {
        file: 'preload/preload.ts',
        from: `import { contextBridge`,
        to: `import { readFileSync } from 'node:fs';\nconsole.log(typeof readFileSync);\nimport { contextBridge`,
      },
    ],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'pushes go through another channel',
    edits: [{ file: 'main/ipc.ts', from: 'contents.send(PUSH, json)', to: 'contents.send(`${PUSH}s`, json)' }],
    watchers: standin(HOST, 'come as pushes'),
  },
  {
    name: 'the channel has two handlers',
    edits: [
      {
        file: 'main/ipc.ts',
        from: '    ipcMain.handle(REQUEST,',
        to: '    ipcMain.handle(REQUEST, () => undefined);\n    ipcMain.handle(REQUEST,',
      },
    ],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'a request is taken from any page',
    edits: [{ file: 'main/electron/origin.ts', from: ' && origins.owns(frame.url)', to: ' && origins !== undefined' }],
    watchers: standin(SECURITY, 'answered as forbidden'),
  },
  {
    name: 'the own origin is another one',
    edits: [{ file: 'main/electron/origin.ts', from: 'new Set([ORIGIN,', to: `new Set(['app://elsewhere',` }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'the policy lets no script run',
    edits: [{ file: 'main/web/assets.ts', from: `script-src 'self'`, to: `script-src 'none'` }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'the policy lets scripts run that were written into the page',
    edits: [{ file: 'main/web/assets.ts', from: `script-src 'self'`, to: `script-src 'self' 'unsafe-inline'` }],
    watchers: standin(SECURITY, 'comes with a policy'),
  },
  {
    name: 'the window is looked for where it is not',
    edits: [{ file: 'main/electron/places.ts', from: `join(out, 'renderer')`, to: `join(out, 'window')` }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'the scheme is named too late',
    edits: [
      {
        file: 'main/electron/assets.ts',
        from: '  protocol.handle(SCHEME,',
        to: '  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME }]);\n  protocol.handle(SCHEME,',
      },
    ],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'a window is made before the app is ready',
    edits: [
      { file: 'main/main.ts', from: 'import { app, ', to: 'import { BrowserWindow, app, ' },
      { file: 'main/main.ts', from: 'beforeReady(app,', to: 'new BrowserWindow();\nbeforeReady(app,' },
    ],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'something of Electron is used that nobody has stated',
    edits: [
      { file: 'main/electron/beforeReady.ts', from: 'app.enableSandbox();', to: `app.addRecentDocument('/tmp');` },
    ],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'windows have no sandbox',
    edits: [{ file: 'main/electron/window.ts', from: 'sandbox: true', to: 'sandbox: false' }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'windows share one world with the preload',
    edits: [{ file: 'main/electron/window.ts', from: 'contextIsolation: true', to: 'contextIsolation: false' }],
    watchers: standin(HOST, 'a window comes up'),
  },
  {
    name: 'a page may go elsewhere',
    edits: [
      {
        file: 'main/electron/guard.ts',
        from: `contents.on('will-navigate', (event) => {\n    if (!origins.owns(event.url)) event.preventDefault();`,
        to: `contents.on('will-navigate', (event) => {\n    if (!origins.owns(event.url)) void 0;`,
      },
    ],
    watchers: standin(SECURITY, 'refused to a page|refused to a link'),
  },
  {
    name: 'a redirect may lead elsewhere',
    edits: [
      {
        file: 'main/electron/guard.ts',
        from: `contents.on('will-redirect', (event) => {\n    if (!origins.owns(event.url)) event.preventDefault();`,
        to: `contents.on('will-redirect', (event) => {\n    if (!origins.owns(event.url)) void 0;`,
      },
    ],
    watchers: standin(SECURITY, 'refused to a redirect'),
  },
  {
    name: 'a page may open windows',
    edits: [{ file: 'main/electron/guard.ts', from: `action: 'deny'`, to: `action: 'allow'` }],
    watchers: standin(SECURITY, 'opens no second window'),
  },
  {
    name: 'a page is given what it wants',
    edits: [
      {
        file: 'main/electron/guard.ts',
        from: `permission === 'clipboard-sanitized-write' &&`,
        to: `permission !== '' &&`,
      },
    ],
    watchers: standin(SECURITY, 'is denied, but'),
  },
  {
    name: 'any address is opened outside',
    edits: [{ file: 'main/host/hostRequests.ts', from: `parsed?.protocol !== 'https:'`, to: 'parsed === null' }],
    watchers: standin(SECURITY, 'only https:'),
  },
  {
    name: 'two instances share one data folder',
    edits: [
      {
        file: 'main/main.ts',
        from: 'if (app.requestSingleInstanceLock(started))',
        to: 'if (started !== undefined)',
      },
    ],
    watchers: standin(SECURITY, 'runs once for a data folder'),
  },
  {
    name: 'a second start brings nothing forward',
    edits: [{ file: 'main/main.ts', from: 'void bring().catch(() => undefined);', to: 'void bring;' }],
    watchers: standin(SECURITY, 'runs once for a data folder'),
  },
  {
    name: 'the program listens on a port',
    edits: [
      {
        file: 'main/main.ts',
        from: `import { join } from 'node:path';`,
        to: `import { createServer } from 'node:net';\nimport { join } from 'node:path';\ncreateServer().listen(0);`,
      },
    ],
    watchers: standin(SECURITY, 'listens on no port'),
  },
  {
    name: 'the end is never reached',
    edits: [{ file: 'main/electron/desktop.ts', from: 'exit: (code) => app.exit(code)', to: 'exit: () => undefined' }],
    watchers: standin(HOST, 'an end by the system'),
  },
  {
    name: 'a page that crashes again and again is loaded again and again',
    edits: [
      {
        file: 'main/electron/crashes.ts',
        from: `count < MANY ? 'reload' : 'show-error'`,
        to: `count > 0 ? 'reload' : 'show-error'`,
      },
    ],
    watchers: standin('area9Crash.standin.spec.ts', 'third crash within 30 s'),
  },
  {
    name: 'a crashed page stays as it is',
    edits: [
      { file: 'main/electron/crashes.ts', from: `afterMs: count > MANY ? CALM_MS : 0`, to: 'afterMs: 3_600_000' },
    ],
    watchers: standin('area9Crash.standin.spec.ts', 'third crash within 30 s'),
  },
  {
    name: 'to quit again while being asked does nothing',
    edits: [
      { file: 'main/electron/quit.ts', from: 'if (this.#asking) void this.stop();', to: 'if (this.#asking) return;' },
    ],
    watchers: standin('area9Quit.standin.spec.ts', 'to quit twice'),
  },
];
