/**
 * Texts that Sessions saw, by digest, so that a stale write can show what changed. Only the newest few: what is no longer
 * here costs the diff, never the check.
 */
export class Snapshots {
  readonly #texts = new Map<string, string>();
  readonly #limit: number;
  #size = 0;

  /** `limit` counts UTF-16 units of all texts together. */
  constructor(limit = 8 * 1024 * 1024) {
    this.#limit = limit;
  }

  remember(digest: string, text: string): void {
    if (text.length > this.#limit) return;
    this.#forget(digest);
    this.#texts.set(digest, text);
    this.#size += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= this.#limit) break;
      this.#forget(oldest);
    }
  }

  recall(digest: string): string | undefined {
    return this.#texts.get(digest);
  }

  #forget(digest: string): void {
    this.#size -= this.#texts.get(digest)?.length ?? 0;
    this.#texts.delete(digest);
  }
}
