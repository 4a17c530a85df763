/** A time that may be up before anybody can end what it is for: it is ended as soon as both are there. */
export class TimeLimit {
  #reached = false;
  #end: (() => void) | undefined;

  reach(): void {
    this.#reached = true;
    this.#end?.();
  }

  whenReached(end: () => void): void {
    this.#end = end;
    if (this.#reached) end();
  }
}
