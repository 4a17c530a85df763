import { Emitter } from '../../app/base/emitter.ts';
import type { Reply } from '../../app/contract/reply.ts';
import type { Wire, WireState } from './host.ts';

const TOKEN = 'gatehouse.token';
/** The server's word that this window is not let in. */
const REFUSED = 4401;
/** As the protocol says of a connection that broke off. */
const SILENT = 1006;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 4_000;

/** The browser host: one WebSocket, opened again by itself when it is lost (hosts.md, Browser host security). */
export function socketWire(): Wire {
  return new SocketWire();
}

type Waiting = (reply: Reply) => void;

class SocketWire implements Wire {
  readonly #pushes = new Emitter<string>(reportError);
  readonly #states = new Emitter<WireState>(reportError);
  readonly #waiting = new Map<number, Waiting>();
  readonly #links = new Map<number, (link: string | undefined) => void>();
  #state: WireState = { kind: 'connecting' };
  #socket: WebSocket | undefined;
  #ids = 0;
  #connected = 0;
  #retryMs = FIRST_RETRY_MS;
  /** The server beats more often than this: a way on which nothing comes for so long is none any more. */
  #silentMs = Number.POSITIVE_INFINITY;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** What this window presents: a link's token until that was accepted, then its own. */
  #token = takeToken();

  constructor() {
    this.#connect();
  }

  request(name: string, input: unknown): Promise<Reply> {
    const id = (this.#ids += 1);
    return new Promise((resolve) => {
      if (this.#state.kind !== 'ready') return resolve(LOST);
      this.#waiting.set(id, resolve);
      this.#socket?.send(JSON.stringify({ id, request: name, input }));
    });
  }

  onPush(listener: (json: string) => void): () => void {
    return this.#pushes.listen(listener);
  }

  onState(listener: (state: WireState) => void): () => void {
    listener(this.#state);
    return this.#states.listen(listener);
  }

  touched(): void {
    if (this.#state.kind === 'ready') this.#socket?.send('{"touched":true}');
  }

  link(): Promise<string | undefined> {
    const id = (this.#ids += 1);
    return new Promise((resolve) => {
      if (this.#state.kind !== 'ready') return resolve(undefined);
      this.#links.set(id, resolve);
      this.#socket?.send(JSON.stringify({ id, link: true }));
    });
  }

  #connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.#socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify({ token: this.#token })));
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket !== socket) return;
      this.#hear(String(data));
      this.#expectMore(socket);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (this.#socket === socket) this.#lose(code, reason);
    });
  }

  /** After a sleep, or behind a tunnel that died, a connection may look open for many minutes. */
  #expectMore(socket: WebSocket): void {
    clearTimeout(this.#silence);
    if (!Number.isFinite(this.#silentMs)) return;
    this.#silence = setTimeout(() => {
      this.#lose(SILENT, '');
      socket.close();
    }, this.#silentMs);
  }

  #hear(json: string): void {
    // Replies and the greeting are few; a push, by far the most, is passed on unread.
    if (json.startsWith('{"push"')) return this.#pushes.emit(json);
    const frame = JSON.parse(json) as Frame; // The server's own words.
    if ('beat' in frame) return;
    if ('ready' in frame) return this.#greeted(frame);
    if ('link' in frame) return take(this.#links, frame.id)?.(frame.link);
    take(this.#waiting, frame.id)?.(frame);
  }

  #greeted({ token, silentMs }: Greeting): void {
    this.#token = token;
    this.#silentMs = silentMs;
    sessionStorage.setItem(TOKEN, token);
    this.#connected += 1;
    this.#retryMs = FIRST_RETRY_MS;
    this.#become({ kind: 'ready', anew: this.#connected > 1 });
  }

  #lose(code: number, reason: string): void {
    clearTimeout(this.#silence);
    // Whatever a connection that was given up says later is not heard.
    this.#socket = undefined;
    for (const settle of this.#waiting.values()) settle(UNKNOWN);
    this.#waiting.clear();
    for (const settle of this.#links.values()) settle(undefined);
    this.#links.clear();
    if (code === REFUSED) return this.#become({ kind: 'refused', reason });
    this.#become({ kind: 'lost' });
    setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  #become(state: WireState): void {
    this.#state = state;
    this.#states.emit(state);
  }
}

interface Greeting {
  readonly ready: true;
  readonly token: string;
  readonly silentMs: number;
}

type Frame =
  | Greeting
  | { readonly beat: true }
  | { readonly id: number; readonly link: string }
  | (Reply & { readonly id: number });

const LOST: Reply = { ok: false, code: 'closing', message: 'The connection to Gatehouse is lost. Nothing was done.' };

/** It was sent: whether it was done shows when the way is back. */
const UNKNOWN: Reply = {
  ok: false,
  code: 'closing',
  message: 'The connection to Gatehouse was lost before the answer came. It may have been done.',
};

function take<T>(from: Map<number, T>, id: number): T | undefined {
  const found = from.get(id);
  from.delete(id);
  return found;
}

/** The one-time token of the address, which is not left standing there, or the one this tab was given before. */
function takeToken(): string {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('token');
  if (token === null) return sessionStorage.getItem(TOKEN) ?? '';
  history.replaceState(null, '', location.pathname);
  return token;
}
