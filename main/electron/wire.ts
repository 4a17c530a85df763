import type { Show } from '../../app/contract/host.ts';
import type { Reply } from '../../app/contract/reply.ts';
import type { WindowConnection, Windows } from '../windows.ts';
import { Outbox } from './outbox.ts';

export interface WireOptions {
  readonly windows: Windows;
  /** Recorded with the decisions that come through it. */
  readonly name: string;
  readonly send: (json: string) => void;
}

/**
 * One window, however often its page is loaded: each load is a connection of its own. A load connects with its first
 * request, because a page that asks listens already; what was pushed before would be lost.
 */
export class Wire {
  readonly #options: WireOptions;
  #load: { readonly outbox: Outbox; readonly connection: WindowConnection } | undefined;
  #show: Show | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  answer(request: unknown, input: unknown): Promise<Reply> {
    const { connection } = (this.#load ??= this.#connect());
    this.#deliverShow();
    return connection.answer(request, input === undefined ? {} : input);
  }

  /** The page is gone: loaded anew, crashed or closed. */
  renew(): void {
    this.#load?.outbox.close();
    this.#load?.connection.close();
    this.#load = undefined;
  }

  touched(): void {
    this.#load?.connection.touched();
  }

  /** For this window; when its page is not there yet, as soon as it is. Nothing in particular: no more than the window. */
  show(show: Show): void {
    if (show.sessionId === undefined && show.workspace === undefined) return;
    this.#show = show;
    if (this.#load) this.#deliverShow();
  }

  /** The page does not take anything now. */
  hold(): void {
    this.#load?.outbox.hold();
  }

  release(): void {
    this.#load?.outbox.release();
  }

  #connect() {
    const { windows, name, send } = this.#options;
    const outbox = new Outbox(send);
    return { outbox, connection: windows.connect(name, (json) => outbox.deliver(json)) };
  }

  #deliverShow(): void {
    if (!this.#show) return;
    const data = this.#show;
    this.#show = undefined;
    this.touched();
    this.#options.windows.tellOne({ push: 'show', data });
  }
}
