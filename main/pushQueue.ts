/** How much a push matters when its door is slow. */
export type PushKind = 'output' | 'event' | 'state';

interface Entry {
  readonly json: string;
  readonly bytes: number;
  readonly kind: PushKind;
}

/**
 * Pushes that one door has not taken yet, oldest first, within a bound of bytes. `output` gives way to everything else.
 * State has twice the room of events: a door may be behind with events, which can be read again, and still hear of an
 * approval, which it would otherwise have to ask for.
 */
export class PushQueue {
  readonly #bound: number;
  #entries: Entry[] = [];
  #bytes = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False when there is no room; then nothing changed, except that waiting output may have been dropped. */
  offer(json: string, kind: PushKind): boolean {
    const bytes = Buffer.byteLength(json);
    const limit = kind === 'state' ? 2 * this.#bound : this.#bound;
    if (kind !== 'output' && !this.#hasRoom(bytes, limit)) this.#dropOutput();
    if (!this.#hasRoom(bytes, limit)) return false;
    this.#add({ json, bytes, kind });
    return true;
  }

  /** For what was read because the queue is empty: the reader's batch is the bound. */
  force(json: string, kind: PushKind): void {
    this.#add({ json, bytes: Buffer.byteLength(json), kind });
  }

  take(): string | undefined {
    const entry = this.#entries.shift();
    if (entry) this.#bytes -= entry.bytes;
    return entry?.json;
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  /** Something longer than the whole bound still gets through, alone. */
  #hasRoom(bytes: number, limit: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= limit;
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
  }

  #dropOutput(): void {
    const kept = this.#entries.filter((entry) => entry.kind !== 'output');
    if (kept.length === this.#entries.length) return;
    this.#entries = kept;
    this.#bytes = kept.reduce((sum, entry) => sum + entry.bytes, 0);
  }
}
