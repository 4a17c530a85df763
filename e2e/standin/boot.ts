// Takes the place of Electron's main process: reads the same command line, gives the app an `electron` module, runs its
// built entry unmodified, and opens its windows in Chromium.
import { registerHooks } from 'node:module';
import { open } from 'node:inspector';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.ts';
import { electronVersion, readCommandLine, Switches } from './commandLine.ts';
import { createElectron } from './electron.ts';
import type { Host } from './host.ts';

/** As in Electron, `ready` waits for the whole entry, so an entry that waits for `ready` waits for ever. */
const ENTRY_MS = 5_000;

const [given = '', ...args] = process.argv.slice(2);
const exe = resolve(given);
if (args.includes('--version') || args.includes('-v')) console.log(`v${electronVersion()}`);
else await boot();

async function boot(): Promise<void> {
  const host = createHost();
  const { started, switches } = host;
  disguise(started.argv);
  if (switches.has('inspect')) open(Number(switches.get('inspect')), '127.0.0.1');
  provide(createElectron(host));
  endLikeElectron(host);
  await runEntry(started.preloads, started.entry);
  if (!host.app._isEnding) await start(host);
}

function createHost(): Host {
  const started = readCommandLine(exe, args);
  const switches = new Switches(args);
  const folder = switches.get('user-data-dir');
  const userData = folder ? resolve(folder) : join(homedir(), '.config', started.package.name);
  const shared: Omit<Host, 'app' | 'chromium'> = {
    started,
    switches,
    userData,
    name: started.package.name,
    schemes: { privileged: new Set(), handlers: new Map() },
    permissions: { request: null, check: null },
    ipc: new Map(),
    windows: new Set(),
    isReady: false,
    focused: undefined,
    theme: 'system',
  };
  return shared as Host; // the app is added before anything of it runs, Chromium when it is ready
}

/** What an app can see of the process it runs in. */
function disguise(argv: readonly string[]): void {
  process.argv = [...argv];
  process.execArgv = [];
  process.execPath = exe;
  Object.assign(process, { type: 'browser', resourcesPath: join(exe, '..', 'resources'), defaultApp: true });
  Object.assign(process.versions, { electron: electronVersion() });
}

/** `require('electron')` and `import 'electron'`, for the app and for the debugger that looks at it. */
function provide(electron: object): void {
  Object.assign(globalThis, { __standinElectron: electron });
  const url = 'standin:electron';
  registerHooks({
    resolve: (specifier, context, next) =>
      /^electron(\/main|\/common)?$/.test(specifier)
        ? { url, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
    load: (asked, context, next) =>
      asked === url
        ? { format: 'commonjs', source: 'module.exports = globalThis.__standinElectron', shortCircuit: true }
        : next(asked, context),
  });
}

function endLikeElectron(host: Host): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const quit = (): void => {
      // An app with a listener of its own decides by itself.
      if (process.listenerCount(signal) === 1) host.app.quit();
    };
    process.on(signal, quit);
  }
  process.on('exit', () => host.chromium?.kill());
  process.on('unhandledRejection', (fault) => console.error('UnhandledPromiseRejectionWarning:', fault));
  process.on('uncaughtException', (fault) => console.error('Uncaught Exception:', fault));
}

async function runEntry(preloads: readonly string[], entry: string): Promise<void> {
  const stuck = setTimeout(() => {
    console.error(`electron stand-in: ${entry} is not done after ${ENTRY_MS} ms, and 'ready' waits for it`);
    process.exit(1);
  }, ENTRY_MS);
  try {
    for (const preload of preloads) await import(pathToFileURL(preload).href);
    await import(pathToFileURL(entry).href);
  } catch (fault) {
    console.error('App threw an error during load\n', fault);
    process.exit(1);
  }
  clearTimeout(stuck);
}

async function start(host: Host): Promise<void> {
  const { switches, userData } = host;
  const port = switches.get('remote-debugging-port');
  const unconfined = switches.has('no-sandbox') ? ['--no-sandbox'] : [];
  const chromium = new Chromium({
    profile: userData,
    switches: [...unconfined, ...switches.added],
    ...(port === undefined ? {} : { port }),
  });
  host.chromium = chromium;
  // Electron and its Chromium are one program: neither outlives the other.
  void chromium.closed.then(() => host.app._isEnding || process.exit(1));
  const { browser } = chromium.connection;
  browser.on('Target.targetDestroyed', ({ targetId }) => windowOf(host, targetId)?._gone());
  browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    windowOf(host, targetInfo.targetId)?.webContents._titled(targetInfo.title);
  });
  await browser.send('Target.setDiscoverTargets', { discover: true });
  const { product } = await browser.send('Browser.getVersion');
  Object.assign(process.versions, { chrome: product.split('/')[1] });
  host.isReady = true;
  host.app._start();
}

function windowOf(host: Host, targetId: string) {
  return [...host.windows].find((window) => window.webContents._targetId === targetId);
}
