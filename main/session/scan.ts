import { parseHeader, isHeader, type Header } from '../../app/session/header.ts';
import { countCallId } from '../../app/session/callIds.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Damage } from '../../app/session/store.ts';
import { fold, NOTHING_SAID, type Folded } from '../../app/session/view/fold.ts';
import { foldAfterGap } from '../../app/session/view/narrow.ts';
import { parseJson } from '../base/parseJson.ts';
import { sha256 } from '../base/sha256.ts';
import { chained, parseLine, type StoredLine } from './line.ts';

/** A place in the file: the line of the event `seq` begins at `offset`. */
export interface Mark {
  readonly seq: number;
  readonly offset: number;
}

const MARK_EVERY = 64;

/**
 * One pass over a log, fed line by line: what it says, whether it is whole, and where its events lie. It keeps none of
 * them, and goes on where it stopped when the file has grown.
 */
export class Scan {
  readonly callIds = new Map<string, number>();
  readonly marks: Mark[] = [];
  header: Header | undefined;
  /** The seq that comes next. */
  length = 0;
  /** Bytes of complete lines. */
  end = 0;
  /** Bytes behind the last newline. */
  torn = 0;
  /** Of the last readable line; the first is that of the header. */
  lastHash = '';
  folded: Folded = NOTHING_SAID;
  #line = 0;
  #readable = 0;
  #wrong: Exclude<Damage, { kind: 'torn' }> | undefined;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get damage(): Damage | undefined {
    return this.#wrong ?? (this.torn > 0 ? { kind: 'torn', bytes: this.torn } : undefined);
  }

  /** One complete line without its newline. `visit` is told of every readable event, and of every problem on the way. */
  feed(line: Buffer, visit?: Visit): void {
    const offset = this.end;
    this.end += line.length + 1;
    this.#line += 1;
    if (this.#line === 1) return this.#feedHeader(line, visit);
    // What a newer program wrote is not ours to judge.
    if (this.#wrong?.kind === 'newer') return;
    const stored = parseLine(line);
    if (typeof stored === 'string') return this.#damaged(stored, visit);
    if (stored.event.seq < this.length) return this.#damaged(`event ${stored.event.seq} comes a second time`, visit);
    if (stored.event.seq > this.length)
      this.#damaged(`events ${this.length} to ${stored.event.seq - 1} are missing`, visit);
    this.#take(stored, offset, visit);
  }

  #feedHeader(line: Buffer, visit: Visit | undefined): void {
    const text = line.toString('utf8');
    this.lastHash = sha256(text);
    const header = parseHeader(parseJson(text));
    if (isHeader(header)) this.header = header;
    else if (header.kind === 'invalid') this.#damaged(`it is no header: ${header.reason}`, visit);
    else {
      const message = `${this.#file} was written by a newer program (version ${header.version}); this one cannot read it`;
      this.#wrong = { kind: 'newer', message };
      visit?.problem(this.length, message);
    }
  }

  #take({ event, hash, text }: StoredLine, offset: number, visit: Visit | undefined): void {
    if (visit && chained(this.lastHash, text) !== hash) {
      visit.problem(
        event.seq,
        `Line ${this.#line} of ${this.#file} does not follow from the line before: its hash differs`,
      );
    }
    if (this.#readable % MARK_EVERY === 0) this.marks.push({ seq: event.seq, offset });
    this.#readable += 1;
    this.length = event.seq + 1;
    this.lastHash = hash;
    this.folded = this.#wrong ? foldAfterGap(this.folded, event) : fold(this.folded, event);
    countCallId(this.callIds, event);
    visit?.event(event);
  }

  /** The first damage is the one that is named; later lines are read as far as they can be. */
  #damaged(why: string, visit: Visit | undefined): void {
    const message = `Line ${this.#line} of ${this.#file} is damaged: ${why}`;
    this.#wrong ??= { kind: 'damaged', line: this.#line, message };
    visit?.problem(this.length, message);
  }
}

/** Who wants to know more than what the scan keeps; only then the chain of hashes is checked. */
export interface Visit {
  event(event: SessionEvent): void;
  problem(seq: number, message: string): void;
}
