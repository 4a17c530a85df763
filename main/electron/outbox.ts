import { setTimeout as pause } from 'node:timers/promises';

/** At most this much in one go: 50 MB a second, which a window can parse. */
const BURST = 512 * 1024;
const PAUSE_MS = 10;

/**
 * What a window is told, no faster than it can take it. Electron acknowledges nothing, so the pace is bounded, and while
 * the window does not respond nothing is sent at all: what waits then waits within the bounds of DoorPushes.
 */
export class Outbox {
  readonly #send: (json: string) => void;
  readonly #breathe: () => Promise<void>;
  #sent = 0;
  #held: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(send: (json: string) => void, breathe: () => Promise<void> = () => pause(PAUSE_MS)) {
    this.#send = send;
    this.#breathe = breathe;
  }

  /** Resolves when the next may come; to a window that is gone, at once. */
  async deliver(json: string): Promise<void> {
    await this.#held?.promise;
    if (this.#closed) return;
    this.#send(json);
    this.#sent += json.length;
    if (this.#sent < BURST) return;
    this.#sent = 0;
    await this.#breathe();
  }

  hold(): void {
    if (!this.#closed) this.#held ??= Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  close(): void {
    this.#closed = true;
    this.release();
  }
}
