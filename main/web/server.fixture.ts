import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Push } from '../../app/contract/pushes.ts';
import type { Handlers } from '../../app/contract/requests.ts';
import { handlersWith } from '../handlers.fixture.ts';
import { MemorySource } from '../pushes.fixture.ts';
import { Windows } from '../windows.ts';
import type { Limits } from './limits.ts';
import type { Address } from './listen.ts';
import { startWebServer, type WebServer } from './server.ts';

/** For what this machine does at once, unless it is busy with other tests. */
export const SOON = { timeout: 10_000 };

export interface Options {
  readonly handlers?: Partial<Handlers>;
  readonly limits?: Partial<Limits>;
  readonly address?: Address;
}

/** A folder that is gone after the test, with a page in it. */
export async function freshAssets(): Promise<{ readonly folder: string; readonly assets: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-web-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const assets = join(folder, 'renderer');
  await mkdir(join(assets, 'assets'), { recursive: true });
  await writeFile(join(assets, 'index.html'), 'the page');
  await writeFile(join(assets, 'assets', 'main.js'), 'the script');
  return { folder, assets };
}

/** A real server over real windows, without a core. It is closed after the test, which fails when there were faults. */
export async function startServer({ handlers = {}, limits = {}, address }: Options = {}): Promise<TestServer> {
  const { folder, assets } = await freshAssets();
  const server = new TestServer(folder, handlers);
  const onFault = (fault: unknown) => void server.faults.push(fault);
  const enter = server.enter.bind(server);
  const started = startWebServer({ address: address ?? { kind: 'port', port: 0 }, assets, enter, onFault, limits });
  onTestFinished(async () => {
    await started.then(
      (web) => web.close(),
      () => undefined, // The test looks at why it could not start.
    );
    expect(server.faults).toEqual([]);
  });
  server.web = await started;
  return server;
}

export class TestServer {
  readonly folder: string;
  readonly source = new MemorySource();
  readonly windows: Windows;
  readonly faults: unknown[] = [];
  /** How many are answerers of approvals at this moment. */
  attending = 0;
  /** Bytes of pushes that were handed over. */
  pushed = 0;
  web: WebServer | undefined;
  #names = 0;

  constructor(folder: string, handlers: Partial<Handlers>) {
    this.folder = folder;
    const onFault = (fault: unknown) => void this.faults.push(fault);
    this.windows = new Windows({ core: this, source: this.source, handlers: handlersWith(handlers), onFault });
  }

  attend(): () => void {
    this.attending += 1;
    return () => void (this.attending -= 1);
  }

  enter(deliver: (json: string) => Promise<void>) {
    this.#names += 1;
    return this.windows.connect(`browser-${this.#names}`, (json) => {
      this.pushed += json.length;
      return deliver(json);
    });
  }

  get port(): number {
    const address = this.web?.address;
    return address?.kind === 'port' ? address.port : 0;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  token(): string {
    return tokenOf(this.web?.link(this.origin));
  }

  close(): Promise<void> {
    return this.web?.close() ?? Promise.resolve();
  }

  /** One HTTP request, exactly as it is given; by default as a browser sends it that opens the page. */
  async http(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
    const to = { host: '127.0.0.1', port: this.port, path, method, headers: { host: this.host, ...headers } };
    const sent = request({ ...to, agent: false }).end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  /** A WebSocket whose headers are a window's own, unless given; undefined leaves one out. */
  socket(headers: { readonly [name: string]: string | undefined } = {}, url = `ws://${this.host}/ws`): Client {
    const given = Object.entries({ host: this.host, origin: this.origin, ...headers });
    const some = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return new Client(new WebSocket(url, { headers: some, perMessageDeflate: false }));
  }

  /** A window that is in, with the session token it was given. */
  async window(token = this.token()): Promise<Client & { readonly session: string }> {
    const client = this.socket();
    client.say({ token });
    const { ready, token: session } = await client.next();
    if (ready !== true) throw new Error('The token was not accepted');
    return Object.assign(client, { session: String(session) });
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Told = { readonly [name: string]: unknown } & { readonly data?: Push['data'] };

/** The other end of a window's connection: a real WebSocket client. */
export class Client {
  readonly socket: WebSocket;
  readonly told: Told[] = [];
  /** Code and reason with which it ended. */
  readonly ended: Promise<readonly [number, string]>;
  /** Status and words with which it was refused to become one; pending for ever when it was not. */
  readonly refused: Promise<{ readonly status: number; readonly body: string }>;
  #taken = 0;
  #came = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    const refused = Promise.withResolvers<{ status: number; body: string }>();
    this.refused = refused.promise;
    const ended = Promise.withResolvers<readonly [number, string]>();
    this.ended = ended.promise;
    socket.once('close', (code, reason) => ended.resolve([code, String(reason)]));
    socket.on('error', () => undefined); // It is refused, or cut off; the test looks at what came of it.
    socket.on('unexpected-response', (_, response) => {
      void text(response).then((body) => refused.resolve({ status: response.statusCode ?? 0, body }));
    });
    socket.on('message', (data: Buffer) => {
      this.told.push(JSON.parse(data.toString()) as Told); // The server writes nothing else.
      this.#came.resolve();
      this.#came = Promise.withResolvers<void>();
    });
    onTestFinished(() => socket.terminate());
  }

  /** Sends at once, or as soon as it is open. */
  say(frame: unknown): void {
    const sent = typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(sent);
    else this.socket.once('open', () => this.socket.send(sent));
  }

  /** The next frame that came. */
  async next(): Promise<Told> {
    for (;;) {
      const told = this.told[this.#taken];
      this.#taken += told ? 1 : 0;
      if (told) return told;
      await this.#more();
    }
  }

  /** The first frame that fits, of those that came and those to come. */
  async until(fits: (told: Told) => boolean): Promise<Told> {
    for (;;) {
      const found = this.told.find(fits);
      if (found) return found;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    await Promise.race([
      this.#came.promise,
      this.ended.then((end) => Promise.reject(new Error(`It ended: ${end.join(' ')}`))),
    ]);
  }

  /** The reply to what is asked under an id of its own; `next` goes on after it. */
  async ask(frame: { readonly id: number; readonly [name: string]: unknown }): Promise<Told> {
    this.say(frame);
    const reply = await this.until(({ id }) => id === frame.id);
    this.#taken = Math.max(this.#taken, this.told.indexOf(reply) + 1);
    return reply;
  }
}

export function tokenOf(link: string | undefined): string {
  return new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token') ?? '';
}
