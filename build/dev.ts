import { join } from 'node:path';
import { createLogger, createServer, type InlineConfig, type Logger, type ViteDevServer } from 'vite';
import { windowConfig } from './bundle/window.ts';
import { DevBrowserHost } from './dev/browserHost.ts';
import { onChange } from './dev/changes.ts';
import { devElectronHost } from './dev/electronHost.ts';
import type { Program } from './dev/program.ts';
import { lookAtMachine } from './machine.ts';
import { planStart } from './startPlan.ts';

interface Host {
  readonly server: ViteDevServer;
  readonly program: Program;
  /** Whose changes start the program anew. */
  readonly folders: readonly string[];
}

/**
 * `npm run dev [browser|electron]`: the window comes from Vite, which replaces what was edited while it is open; the program
 * behind it is started anew. The content policy of the product is not in force here: Vite's own scripts would break it.
 */
async function dev(root: string, wish: string | undefined): Promise<void> {
  const plan = planStart(lookAtMachine(root, process.env));
  if (wish === 'electron' && plan.host !== 'electron') throw new Error(plan.reason);
  const host = plan.host === 'electron' && wish !== 'browser' ? inElectron(root, plan.binary) : inBrowser(root);
  const { program, folders, server } = await host;
  await server.listen();
  const stop = onChange(root, folders, (file) => void restart(program, file).catch(console.error));
  closeAtSignals(async () => {
    stop();
    await program.close();
    await server.close();
  });
  await program.replace();
}

async function inBrowser(root: string): Promise<Host> {
  const { plugin, proxy, program } = await DevBrowserHost.create(root);
  const server = await createServer(devConfig(root, { plugins: [plugin], server: { proxy } }));
  return { server, program, folders: ['app', 'main'] };
}

async function inElectron(root: string, binary: string): Promise<Host> {
  const server = await createServer(devConfig(root, {}));
  const program = devElectronHost(root, binary, () => server.resolvedUrls?.local[0] ?? '');
  return { server, program, folders: ['app', 'main', 'preload'] };
}

async function restart(program: Program, file: string): Promise<void> {
  const start = performance.now();
  await program.replace();
  console.log(`${file}: started anew in ${Math.round(performance.now() - start)} ms`);
}

function closeAtSignals(close: () => Promise<void>): void {
  let closing: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Vite would end this process before the program has ended.
    process.removeAllListeners(signal);
    process.on(signal, () => void (closing ??= close()));
  }
}

function devConfig(root: string, { plugins = [], server = {} }: InlineConfig): InlineConfig {
  const config = windowConfig(root);
  return {
    ...config,
    cacheDir: join(root, 'out/.vite'),
    customLogger: quietLogger(),
    plugins: [...(config.plugins ?? []), ...plugins],
    server: { host: '127.0.0.1', ...server },
  };
}

/** While a program starts anew, nobody answers the windows; they try again by themselves. */
function quietLogger(): Logger {
  const logger = createLogger('warn');
  const error = logger.error.bind(logger);
  return Object.assign(logger, {
    error: (...[message, options]: Parameters<Logger['error']>) => {
      if (!message.includes('ws proxy')) error(message, options);
    },
  });
}

await dev(process.cwd(), process.argv[2]);
