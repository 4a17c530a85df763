import type { WebSocket } from 'ws';

/** Frames out to a window that may be slow or go away at any time: then frames are dropped silently. */
export class FrameOutlet {
  readonly #socket: WebSocket;
  readonly #full: number;
  #moved: PromiseWithResolvers<void> | undefined;

  /** `full` is how many bytes may wait before whoever causes more is asked to wait. */
  constructor(socket: WebSocket, full: number) {
    this.#socket = socket;
    this.#full = full;
    socket.once('close', () => this.#move());
  }

  /** Resolves when the window can take the next, or has gone. */
  send(text: string): Promise<void> {
    // Called when the bytes have left this process, and also when they never will.
    if (this.#isOpen()) this.#socket.send(text, () => this.#move());
    return this.ready();
  }

  /** Resolves at once, unless so much waits that nothing more should be made for this window. */
  async ready(): Promise<void> {
    while (this.#isOpen() && this.#socket.bufferedAmount > this.#full) {
      this.#moved ??= Promise.withResolvers<void>();
      await this.#moved.promise;
    }
  }

  /** Whoever waits looks again, one after the other: the first may fill the room that there is. */
  #move(): void {
    this.#moved?.resolve();
    this.#moved = undefined;
  }

  #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }
}
