import { join } from 'node:path';
import { createLogger, createServer, type InlineConfig, type Logger } from 'vite';
import { windowConfig } from './bundle/window.ts';
import { DevBrowserHost } from './dev/browserHost.ts';
import { onChange } from './dev/changes.ts';
import { devElectronHost } from './dev/electronHost.ts';
import type { Program } from './dev/program.ts';
import { lookAtMachine } from './machine.ts';
import { planStart, type StartPlan } from './startPlan.ts';

/**
 * `npm run dev [browser|electron]`: the window comes from Vite, which replaces what was edited while it is open; the program
 * behind it is started anew. The content policy of the product is not in force here: Vite's own scripts would break it.
 */
async function dev(root: string, wish: string | undefined): Promise<void> {
  const plan = planStart(lookAtMachine(root, process.env));
  if (wish === 'electron' && plan.host !== 'electron') throw new Error(plan.reason);
  const close = plan.host === 'electron' && wish !== 'browser' ? await inElectron(root, plan) : await inBrowser(root);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void (closing ??= close()));
  }
}

let closing: Promise<void> | undefined;

async function inBrowser(root: string): Promise<() => Promise<void>> {
  const host = await DevBrowserHost.create(root);
  const server = await createServer(devConfig(root, { plugins: [host.plugin], server: { proxy: host.proxy } }));
  await server.listen();
  return follow(root, ['app', 'main'], host.program, server.close.bind(server));
}

async function inElectron(
  root: string,
  { binary }: Extract<StartPlan, { host: 'electron' }>,
): Promise<() => Promise<void>> {
  const server = await createServer(devConfig(root, {}));
  await server.listen();
  const program = devElectronHost(root, binary, () => server.resolvedUrls?.local[0] ?? '');
  return follow(root, ['app', 'main', 'preload'], program, server.close.bind(server));
}

async function follow(
  root: string,
  folders: readonly string[],
  program: Program,
  closeServer: () => Promise<void>,
): Promise<() => Promise<void>> {
  const restart = async (file: string): Promise<void> => {
    const start = performance.now();
    await program.replace();
    console.log(`${file}: started anew after ${Math.round(performance.now() - start)} ms`);
  };
  await program.replace();
  const stop = onChange(root, folders, (file) => void restart(file).catch(console.error));
  return async () => {
    stop();
    await program.close();
    await closeServer();
  };
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
