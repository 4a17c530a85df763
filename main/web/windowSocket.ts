import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Reply } from '../../app/contract/reply.ts';
import { after } from '../base/after.ts';
import type { WindowConnection } from '../windows.ts';
import { FrameOutlet } from './frameOutlet.ts';
import { parseFrame, refusalFrame, tokenIn, type Frame } from './frames.ts';
import { keepAlive } from './keepAlive.ts';
import { Pace, type Limits } from './limits.ts';
import type { Tokens } from './tokens.ts';

export interface WindowSocketOptions {
  /** What the frames come through. */
  readonly stream: Duplex;
  readonly tokens: Tokens;
  readonly limits: Limits;
  /** Makes it a window, once its token is accepted. */
  readonly enter: (deliver: (json: string) => Promise<void>) => WindowConnection;
  /** A link that lets another window in by the same way as this one. */
  readonly link: () => string;
  readonly onFault: (fault: unknown) => void;
}

/** Why the server ends a connection, beside the codes of the protocol itself. */
export const CLOSE = { closing: 1001, tooLarge: 1009, refused: 4401, flood: 4429 } as const;

/** One browser window on its WebSocket: nobody until it has presented a token, then a connection of `Windows`. */
export class WindowSocket {
  /** It is gone, and nothing is done for it any more. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #options: WindowSocketOptions;
  readonly #outlet: FrameOutlet;
  readonly #pace: Pace;
  readonly #owed = new Set<Promise<void>>();
  readonly #stopWaiting: () => void;
  #window: WindowConnection | undefined;
  #unread = 0;

  constructor(socket: WebSocket, options: WindowSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outlet = new FrameOutlet(socket, options.limits.full);
    this.#pace = new Pace(options.limits);
    this.#stopWaiting = this.#waitForToken();
    const stopAsking = keepAlive(socket, options.limits, () => this.#beat());
    const gone = Promise.withResolvers<void>();
    this.closed = gone.promise;
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    // What breaks the protocol, a frame that is too large among it, is answered by the protocol's own close.
    socket.on('error', () => this.#leave());
    socket.once('close', () => {
      this.#leave();
      stopAsking();
      gone.resolve();
    });
  }

  /** Sends what is owed, then parts. A window that does not take it is cut off. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = after(this.#options.limits.graceMs, resolve);
    await Promise.race([Promise.all(this.#owed), promise]);
    cancel();
    this.#part(CLOSE.closing, 'Gatehouse is closing.');
    await this.closed;
  }

  /** Nobody may stay, or send much, without having said who it is. Returns how to stop watching. */
  #waitForToken(): () => void {
    const { stream, limits } = this.#options;
    const late = `No token came within ${limits.presentMs / 1000} s.`;
    const cancel = after(limits.presentMs, () => this.#part(CLOSE.refused, late));
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= limits.presentBytes) return;
      this.#part(CLOSE.tooLarge, 'The first frame is the token and nothing else.');
      // The rest of it is not taken in any more.
      this.#socket.pause();
    };
    stream.on('data', count);
    return () => {
      cancel();
      stream.off('data', count);
    };
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const text = Buffer.isBuffer(data) && !isBinary ? data.toString() : '';
    if (this.#window) this.#answer(this.#window, text);
    else this.#admit(text);
  }

  #admit(text: string): void {
    this.#stopWaiting();
    const session = this.#options.tokens.trade(tokenIn(text) ?? '');
    if (session === undefined) return this.#part(CLOSE.refused, WORTHLESS);
    // A page that hears less than every third beat knows that its connection is lost.
    const silentMs = 3 * this.#options.limits.pingMs;
    void this.#outlet.send(JSON.stringify({ ready: true, token: session, silentMs }));
    this.#window = this.#options.enter((json) => this.#outlet.send(json));
  }

  #beat(): void {
    if (this.#window) this.#send('{"beat":true}');
  }

  #answer(window: WindowConnection, text: string): void {
    const pace = this.#pace.take();
    if (pace === 'flood') return this.#part(CLOSE.flood, 'Too many frames in a short time.');
    const frame = parseFrame(text);
    if (frame.kind === 'touched') window.touched();
    else if (frame.kind === 'bad') this.#send(refusalFrame(frame.id, 'bad-line', frame.message));
    else if (pace === 'over') this.#send(refusalFrame(frame.id, 'too-large', TOO_FAST));
    else if (frame.kind === 'link') this.#send(JSON.stringify({ id: frame.id, link: this.#options.link() }));
    else this.#ask(window, frame);
  }

  #ask(window: WindowConnection, { id, request, input }: Extract<Frame, { kind: 'request' }>): void {
    if (this.#owed.size >= this.#options.limits.unanswered) {
      this.#send(refusalFrame(id, 'too-large', TOO_MANY));
      return;
    }
    const sent = window.answer(request, input).then((reply) => this.#reply(id, reply));
    this.#owed.add(sent);
    void sent.finally(() => this.#owed.delete(sent));
  }

  /** Who asks and does not read is not listened to. Everybody else is, however much is pushed to them. */
  async #reply(id: string | number, reply: Reply): Promise<void> {
    this.#unread += 1;
    if (this.#unread > this.#options.limits.unread) this.#socket.pause();
    await this.#outlet.ready();
    this.#send(this.#toFrame(id, reply));
    this.#unread -= 1;
    if (this.#unread === 0) this.#socket.resume();
  }

  #send(text: string): void {
    void this.#outlet.send(text);
  }

  /** An output that JSON cannot say is a fault of ours, and still a reply. */
  #toFrame(id: string | number, reply: Reply): string {
    try {
      return JSON.stringify({ id, ...reply });
    } catch (fault) {
      this.#options.onFault(fault);
      return refusalFrame(id, 'internal', 'The answer could not be written as JSON');
    }
  }

  #part(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.#leave();
  }

  /** It is no window any more. Parting takes two; whoever does not answer is cut off. */
  #leave(): void {
    this.#stopWaiting();
    this.#window?.close();
    const cancel = after(this.#options.limits.graceMs, () => this.#socket.terminate());
    void this.closed.then(cancel);
  }
}

const WORTHLESS = 'This link was used already, or belongs to an earlier run of Gatehouse.';
const TOO_FAST = 'Too many requests in a short time. This one was not begun: try again in a second.';
const TOO_MANY = 'Too many requests are unanswered. This one was not begun: wait for some of them.';
