import type { Readable, Writable } from 'node:stream';
// The package ships these types but does not export them by name.
import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';

export type { Protocol };
type Commands = Protocol.CommandParameters;
type Answers = Protocol.CommandReturnValues;
type Events = Protocol.Events;
type Listener = (params: unknown) => void;
type Post = (method: string, params: object) => Promise<unknown>;

/** One target, or the browser itself. */
export class CdpTarget {
  readonly #post: Post;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(post: Post) {
    this.#post = post;
  }

  /** Rejects with the browser's message, and when the browser is gone. */
  send<M extends keyof Commands>(method: M, params?: Commands[M]): Promise<Answers[M]> {
    // The protocol says what a method is answered with.
    return this.#post(method, params ?? {}) as Promise<Answers[M]>;
  }

  on<E extends keyof Events>(event: E, listener: (params: Events[E]) => void): void {
    const known = this.#listeners.get(event) ?? [];
    // Under this name the browser sends nothing else.
    this.#listeners.set(event, [...known, listener as Listener]);
  }

  hear(event: string, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly method: string;
  readonly answer: PromiseWithResolvers<unknown>;
}

/** The DevTools protocol over the two pipes that `--remote-debugging-pipe` speaks through. */
export class CdpConnection {
  readonly browser: CdpTarget;
  readonly #output: Writable;
  readonly #sessions = new Map<string, CdpTarget>();
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #part: Buffer[] = [];

  constructor(output: Writable, input: Readable) {
    this.#output = output;
    this.browser = new CdpTarget((method, params) => this.#send(method, params));
    // A pipe breaks when the browser ends; whoever waits hears of that through `end`.
    output.on('error', () => undefined);
    input.on('error', () => undefined);
    input.on('data', (chunk: Buffer) => this.#read(chunk));
    input.on('close', () => this.#end());
  }

  async attach(targetId: string): Promise<CdpTarget> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const target = new CdpTarget((method, params) => this.#send(method, params, sessionId));
    this.#sessions.set(sessionId, target);
    return target;
  }

  #send(method: string, params: object, sessionId?: string): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { method, answer });
    this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer.promise;
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      this.#part.push(chunk.subarray(from, to));
      const text = Buffer.concat(this.#part).toString();
      this.#part = [];
      from = to + 1;
      // The browser sends nothing but protocol messages.
      this.#hear(JSON.parse(text) as Message);
    }
    this.#part.push(chunk.subarray(from));
  }

  #hear(message: Message): void {
    if (message.id === undefined) {
      const target = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
      target?.hear(message.method ?? '', message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.answer.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting?.answer.resolve(message.result);
  }

  #end(): void {
    for (const { method, answer } of this.#waiting.values()) answer.reject(new Error(`${method}: the browser is gone`));
    this.#waiting.clear();
  }
}
