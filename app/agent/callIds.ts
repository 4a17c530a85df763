import type { CallId } from '../base/id.ts';

/** The longest id that is taken from a driver as it is: one that long is stored whole wherever it is named. */
const LONGEST = 256;
/** How the calls of a program are named after it (contract.md, Conventions). */
const NESTED = /^(.*):[1-9]\d*$/s;

/** Makes a driver's ids unique: used again, one becomes `<id>~2`, `~3` … (contract.md, Conventions). */
export class CallIds {
  readonly #uses: Map<string, number>;
  /** What calls have been named as if they were nested in it: its own nested calls could get the same ids. */
  readonly #parents = new Set<string>();

  /** `used` says how often each id was used before this lifetime. */
  constructor(used: ReadonlyMap<string, number>) {
    this.#uses = new Map(used);
    for (const id of used.keys()) this.#addParent(id);
  }

  own(driverId: string): CallId {
    const id = driverId.toWellFormed().slice(0, LONGEST).toWellFormed();
    let uses = this.#uses.get(id) ?? 0;
    let own = id;
    do {
      uses += 1;
      own = uses === 1 ? id : `${id}~${uses}`;
    } while (this.#isTaken(own, id)); // A driver may have chosen `c~2` by itself, or `c:1`.
    this.#uses.set(id, uses);
    if (own !== id) this.#uses.set(own, 1);
    this.#addParent(own);
    return own as CallId; // The brand says only that it is unique now.
  }

  #isTaken(own: string, id: string): boolean {
    const parent = NESTED.exec(own)?.[1];
    const isNested = parent !== undefined && this.#uses.has(parent);
    return isNested || this.#parents.has(own) || (own !== id && this.#uses.has(own));
  }

  #addParent(id: string): void {
    const parent = NESTED.exec(id)?.[1];
    if (parent !== undefined) this.#parents.add(parent);
  }
}
