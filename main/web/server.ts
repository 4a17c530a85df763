import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WindowConnection } from '../windows.ts';
import { refusedAsset, resolveAsset, type Asset } from './assets.ts';
import { originOf, pathOf, refusalOf, upgradeRefusalOf, type Refusal } from './gate.ts';
import { LIMITS, type Limits } from './limits.ts';
import { listen, type Address, type Listening } from './listen.ts';
import { refuseMalformed, refuseUpgrade } from './refuse.ts';
import { Tokens } from './tokens.ts';
import { WindowSocket } from './windowSocket.ts';

export interface WebServerOptions {
  readonly address: Address;
  /** The folder of the built window. */
  readonly assets: string;
  /** A window has presented its token. */
  readonly enter: (deliver: (json: string) => Promise<void>) => WindowConnection;
  readonly onFault: (fault: unknown) => void;
  readonly limits?: Partial<Limits>;
}

/** What serves the window to browsers of this machine, and its connection to the core. */
export interface WebServer {
  /** As it came out: with the port that was free. */
  readonly address: Address;
  /** Lets one window in, once, by the origin under which the person reaches this server. */
  link(origin: string): string;
  /** Nobody new is let in; windows get what is owed to them. Resolves when nothing listens and nothing is open. */
  close(): Promise<void>;
}

/** Throws a RequestError when nothing can listen there. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const served = new Served(options);
  return served.start(await listen(options.address, () => served.createServer()));
}

class Served {
  readonly #options: WebServerOptions;
  readonly #limits: Limits;
  readonly #tokens = new Tokens();
  readonly #sockets = new Set<WindowSocket>();
  readonly #upgrades: WebSocketServer;
  #closing: Promise<void> | undefined;

  constructor(options: WebServerOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    const maxPayload = this.#limits.frameBytes;
    this.#upgrades = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload });
  }

  start({ address, servers }: Listening): WebServer {
    return {
      address,
      link: (origin) => this.#link(origin),
      close: () => (this.#closing ??= this.#close(servers)),
    };
  }

  createServer(): Server {
    // A request has no body to wait for; one without a Host is refused like one with a wrong one.
    const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000, requireHostHeader: false });
    server.maxConnections = 2 * this.#limits.sockets;
    server.on('request', (request, response) => void this.#answer(request, response).catch(this.#options.onFault));
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
    server.on('connect', (request, stream) => refuseUpgrade(stream, refusalOf(request) ?? NO_PROXY));
    server.on('clientError', refuseMalformed);
    return server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    const asset = refusal ? refused(refusal) : await resolveAsset(this.#options.assets, pathOf(request));
    const headers = { ...asset.headers, ...(refusal && { connection: 'close' }) };
    response.writeHead(asset.status, { ...headers, 'content-length': asset.body.length }).end(asset.body);
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const refusal = upgradeRefusalOf(request) ?? this.#crowdRefusal();
    if (refusal) return refuseUpgrade(stream, refusal);
    const { enter, onFault } = this.#options;
    const link = () => this.#link(originOf(request));
    const options = { stream, tokens: this.#tokens, limits: this.#limits, enter, link, onFault };
    this.#upgrades.handleUpgrade(request, stream, head, (socket) => {
      const window = new WindowSocket(socket, options);
      this.#sockets.add(window);
      void window.closed.then(() => this.#sockets.delete(window));
    });
  }

  #crowdRefusal(): Refusal | undefined {
    if (this.#closing) return { status: 503, reason: 'Gatehouse is closing.' };
    if (this.#sockets.size < this.#limits.sockets) return undefined;
    return { status: 503, reason: 'Too many windows are connected.' };
  }

  #link(origin: string): string {
    return `${origin}/#token=${this.#tokens.issue()}`;
  }

  async #close(servers: readonly Server[]): Promise<void> {
    const closed = servers.map((server) => once(server, 'close'));
    for (const server of servers) server.close();
    await Promise.all(Array.from(this.#sockets, (socket) => socket.close()));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  }
}

const NO_PROXY: Refusal = { status: 405, reason: 'Only GET is answered.' };

function refused({ status, reason }: Refusal): Asset {
  return refusedAsset(status, reason);
}
