const SAME_WISH_MS = 500;

/** A keystroke reaches us twice, from the terminal and from npm: the same signal a moment later is the same wish. */
export class Wishes {
  readonly #heard = new Map<NodeJS.Signals, number>();

  isNew(signal: NodeJS.Signals, now: number): boolean {
    const last = this.#heard.get(signal);
    this.#heard.set(signal, now);
    return last === undefined || now - last > SAME_WISH_MS;
  }
}
