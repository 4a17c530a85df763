import type { CallId } from '../base/id.ts';

/** Makes a driver's ids unique: used again, one becomes `<id>~2`, `~3` … (contract.md, Conventions). */
export class CallIds {
  readonly #uses: Map<string, number>;

  /** `used` says how often each id was used before this lifetime. */
  constructor(used: ReadonlyMap<string, number>) {
    this.#uses = new Map(used);
  }

  own(id: string): CallId {
    let uses = this.#uses.get(id) ?? 0;
    let own = id;
    do {
      uses += 1;
      own = uses === 1 ? id : `${id}~${uses}`;
    } while (own !== id && this.#uses.has(own)); // A driver may have chosen `c~2` by itself.
    this.#uses.set(id, uses);
    if (own !== id) this.#uses.set(own, 1);
    return own as CallId; // The brand says only that it is unique now.
  }
}
