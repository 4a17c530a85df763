import { messageOf } from '../base/fault.ts';
import { StorageError } from '../log/journal.ts';

/** Runs `job` after a while. The returned function calls it off. */
export interface Timers {
  after(ms: number, job: () => void): () => void;
}

export interface WriteBehindOptions<Item> {
  /** Durable when it resolves; nothing of the batch is stored when it rejects. */
  readonly write: (batch: readonly Item[]) => Promise<void>;
  readonly timers: Timers;
  readonly windowMs?: number;
  /** Hears of each batch after it is durable, in order. */
  readonly onWritten: (batch: readonly Item[]) => void;
  /** A write has failed; undefined: writing works again. */
  readonly onTrouble: (trouble: StorageError | undefined) => void;
}

const WINDOW_MS = 50;

/**
 * Gathers items and writes them in batches, one at a time and in order (sessions.md, Write-behind). The first item opens a
 * window; later ones join. A batch that failed is kept whole and tried again with the next item or flush, so nothing is
 * lost, skipped or written twice.
 */
export class WriteBehind<Item> {
  readonly #options: WriteBehindOptions<Item>;
  readonly #waiting: Item[] = [];
  #added = 0;
  #written = 0;
  #writing: Promise<void> | undefined;
  #callOff: (() => void) | undefined;
  #troubled = false;
  #state: 'held' | 'open' | 'abandoned' = 'held';

  constructor(options: WriteBehindOptions<Item>) {
    this.#options = options;
  }

  /** Before `begin` items are only gathered, so that they all go into the first batch. */
  begin(): void {
    if (this.#state === 'held') this.#state = 'open';
    this.#openWindow();
  }

  /** Nothing more is written, ever; what waits is dropped. */
  abandon(): void {
    this.#state = 'abandoned';
    this.#closeWindow();
    this.#waiting.length = 0;
    this.#written = this.#added;
  }

  add(item: Item): void {
    if (this.#state === 'abandoned') return;
    this.#waiting.push(item);
    this.#added += 1;
    this.#openWindow();
  }

  /** Resolves when everything added so far is durable; rejects with the failure of its own attempt. */
  async flush(): Promise<void> {
    const goal = this.#added;
    if (this.#state === 'held' && goal > this.#written) throw new Error('Nothing is written before the announcement');
    // A write that is under way may fail; what then surfaces is the fresh attempt below.
    await this.#writing?.catch(() => undefined);
    while (this.#written < goal) await this.#write();
  }

  /** Writes what was gathered since `begin`, and nothing from then on, whether that succeeds or not. */
  async close(): Promise<void> {
    try {
      if (this.#state === 'open') await this.flush();
    } finally {
      this.abandon();
    }
  }

  #openWindow(): void {
    if (this.#state !== 'open' || this.#callOff || this.#writing || this.#waiting.length === 0) return;
    this.#callOff = this.#options.timers.after(this.#options.windowMs ?? WINDOW_MS, () => {
      this.#callOff = undefined;
      // The failure was told to `onTrouble`; the batch waits for the next item or flush.
      this.#write().catch(() => undefined);
    });
  }

  #closeWindow(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #write(): Promise<void> {
    this.#closeWindow();
    this.#writing ??= Promise.resolve().then(() => this.#attempt());
    return this.#writing;
  }

  async #attempt(): Promise<void> {
    const batch = this.#waiting.slice();
    try {
      await this.#options.write(batch);
    } catch (fault) {
      const trouble = toStorageError(fault);
      this.#writing = undefined;
      this.#troubled = true;
      // What came while it was being written counts as the next event: it opens a new window.
      if (this.#waiting.length > batch.length) this.#openWindow();
      this.#options.onTrouble(trouble);
      throw trouble;
    }
    this.#writing = undefined;
    if (this.#state === 'abandoned') return;
    this.#waiting.splice(0, batch.length);
    this.#written += batch.length;
    this.#openWindow();
    if (this.#troubled) this.#options.onTrouble(undefined);
    this.#troubled = false;
    this.#options.onWritten(batch);
  }
}

function toStorageError(fault: unknown): StorageError {
  if (fault instanceof StorageError) return fault;
  const message = messageOf(fault);
  const full = fault instanceof Error && 'full' in fault && fault.full === true;
  return new StorageError(message, full, { cause: fault });
}
