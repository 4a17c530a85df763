/** What is read of a stream, piece by piece. */
export interface RecordSink {
  /** What ends a record. */
  readonly separator: '\n' | '\0';
  /** Told each whole record; `enough` ends the reading. */
  readonly onRecord: (record: string) => 'more' | 'enough';
}

/** The longest record that is kept; a longer one (a file that is one line) is left out. */
const LONGEST = 4 * 1024 * 1024;

/** Cuts a stream of text into records, with bounded memory. */
export class Records {
  readonly enough: Promise<void>;
  readonly #sink: RecordSink;
  readonly #finish: () => void;
  #rest = '';
  #skipping = false;
  #done = false;
  #fault: unknown;

  constructor(sink: RecordSink) {
    this.#sink = sink;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.enough = promise;
    this.#finish = resolve;
  }

  get isEnough(): boolean {
    return this.#done;
  }

  /** What `onRecord` threw; that ended the reading. */
  get fault(): unknown {
    return this.#fault;
  }

  take(text: string): void {
    const parts = text.split(this.#sink.separator);
    for (const [index, part] of parts.entries()) {
      if (this.#done) return;
      const whole = index < parts.length - 1;
      this.#rest = this.#skipping ? '' : this.#rest + part;
      if (this.#rest.length > LONGEST) [this.#skipping, this.#rest] = [true, ''];
      if (!whole) continue;
      if (!this.#skipping && this.#rest !== '' && this.#isEnough(this.#rest)) this.#stop();
      [this.#skipping, this.#rest] = [false, ''];
    }
  }

  #isEnough(record: string): boolean {
    try {
      return this.#sink.onRecord(record) === 'enough';
    } catch (fault) {
      this.#fault = fault;
      return true;
    }
  }

  #stop(): void {
    this.#done = true;
    this.#finish();
  }
}
