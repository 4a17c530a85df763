import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { Program, type Running } from './program.ts';
import { Served } from './served.ts';

/**
 * The browser host from its sources, which Node remembers between two starts, with the Vite server before it. After a
 * restart the tokens of the windows are worth nothing: each asks for a new link by itself, with a secret that it has from the
 * link in this terminal, because whoever reaches the Vite server may ask.
 */
export class DevBrowserHost {
  readonly program: Program;
  readonly #root: string;
  readonly #port: number;
  readonly #secret = randomBytes(32).toString('base64url');
  #server: ViteDevServer | undefined;
  #served: Served | undefined;

  private constructor(root: string, port: number) {
    this.#root = root;
    this.#port = port;
    this.program = new Program(() => Promise.resolve(this.#start()));
  }

  static async create(root: string): Promise<DevBrowserHost> {
    return new DevBrowserHost(root, await freePort());
  }

  /** Where the sockets of the windows go. Host and Origin pass as they are, so they agree. */
  get proxy() {
    return { '/ws': { target: `ws://127.0.0.1:${this.#port}`, ws: true } };
  }

  get plugin(): Plugin {
    return {
      name: 'gatehouse:dev-window',
      configureServer: (server) => {
        this.#server = server;
        server.ws.on('gatehouse:let-in', ({ secret }: { readonly secret?: unknown }, window) => {
          if (secret === this.#secret) this.#served?.link(({ hash }) => window.send('gatehouse:link', { hash }));
        });
      },
      resolveId: (id) => (id === WINDOW_SCRIPT ? id : undefined),
      load: (id) => (id === WINDOW_SCRIPT ? windowScript : undefined),
      transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: WINDOW_SCRIPT }, injectTo: 'head' }],
    };
  }

  #start(): Running {
    const isFirst = !this.#served;
    const args = ['main/serve.ts', '--no-open', '--port', String(this.#port), '--assets', 'renderer'];
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.#root, 'out/.compiled') };
    const served = new Served([process.execPath, ...args], { cwd: this.#root, env });
    this.#served = served;
    const begun = served.begun().then((said) => {
      if (said === undefined) return;
      if (isFirst) this.#greet(served, said);
      else this.#server?.ws.send('gatehouse:restarted');
    });
    return { child: served.child, begun };
  }

  #greet(served: Served, said: string): void {
    const [origin = ''] = this.#server?.resolvedUrls?.local ?? [];
    console.log(said);
    served.link(({ hash }) =>
      console.log(`Window from the sources: ${new URL(hash, origin).href}&dev=${this.#secret}`),
    );
  }
}

const WINDOW_SCRIPT = '/@gatehouse/dev-window.js';
const windowScript = `
const given = new URLSearchParams(location.hash.slice(1)).get('dev');
if (given) localStorage.setItem('gatehouse.dev', given);
import.meta.hot.on('gatehouse:restarted', () => {
  import.meta.hot.send('gatehouse:let-in', { secret: localStorage.getItem('gatehouse.dev') });
});
import.meta.hot.on('gatehouse:link', ({ hash }) => {
  location.hash = hash;
  location.reload();
});
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens on a port has none');
  return address.port;
}
