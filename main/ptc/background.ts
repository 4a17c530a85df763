import { tailOf } from '../../app/base/text.ts';
import { Tail } from './tail.ts';

const ENTRIES = 50;
const ENTRY_BYTES = 4 * 1024;
const PROGRAMS = 20;

/** What programs do after their end: kept under the program that did it, told with the next one, never as its output. */
export class Background {
  readonly #faults: string[] = [];
  readonly #output = new Map<number, Tail>();
  #dropped = 0;
  #bytes = 0;

  /** Everything that was written since the Environment started. */
  get bytes(): number {
    return this.#bytes;
  }

  fault(cell: number, text: string): void {
    if (this.#faults.length < ENTRIES) this.#faults.push(`${nameOf(cell)}: ${tailOf(text, ENTRY_BYTES)}`);
    else this.#dropped += 1;
  }

  output(cell: number, text: string): void {
    const tail = this.#output.get(cell) ?? new Tail(ENTRY_BYTES);
    tail.append(text);
    this.#bytes += text.length;
    this.#output.set(cell, tail);
    const [oldest] = this.#output.keys();
    if (this.#output.size > PROGRAMS && oldest !== undefined) this.#output.delete(oldest);
  }

  /** Tells it once. */
  take(): readonly string[] {
    const told = this.#faults.splice(0);
    if (this.#dropped > 0) told.push(`${this.#dropped} more faults`);
    for (const [cell, tail] of this.#output)
      told.push(`output of ${nameOf(cell)} after it had ended: ${tail.text().text}`);
    this.#output.clear();
    this.#dropped = 0;
    return told;
  }
}

function nameOf(cell: number): string {
  return cell === 0 ? 'an earlier program' : `cell-${cell}`;
}
