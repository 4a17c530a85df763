import type { SessionId } from '../base/id.ts';
import type { SessionDraft, SessionEvent } from './events.ts';
import type { Header } from './header.ts';
import { Session, type SessionOptions } from './session.ts';
import { StoreError, WINDOW, type SessionWriter } from './store.ts';
import { fold, NOTHING_SAID } from './view/fold.ts';
import { callIdsOf } from './callIds.ts';
import type { Timers } from './writeBehind.ts';

/** Time as the test says. */
export class FakeTimers implements Timers {
  now = 0;
  readonly #jobs = new Set<{ at: number; job: () => void }>();

  after(ms: number, job: () => void): () => void {
    const entry = { at: this.now + ms, job };
    this.#jobs.add(entry);
    return () => void this.#jobs.delete(entry);
  }

  get waiting(): number {
    return this.#jobs.size;
  }

  /** Time passes; what is due runs, in order. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (let due = this.#due(until); due; due = this.#due(until)) {
      this.#jobs.delete(due);
      this.now = due.at;
      due.job();
      await settle();
    }
    this.now = until;
    await settle();
  }

  #due(until: number) {
    return [...this.#jobs].filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0];
  }
}

/** Everything that is ready to run has run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A log in memory that behaves as a store's writer does, and fails when it is told to. */
export class MemoryWriter implements SessionWriter {
  readonly kind = 'writer';
  readonly batches: (readonly SessionEvent[])[] = [];
  readonly blobs = new Map<string, string>();
  readonly stored;
  readonly window;
  readonly callIds;
  /** Thrown by the next appends until it is taken away. */
  failure: Error | undefined;
  closed = 0;

  constructor(header: Header, events: readonly SessionEvent[] = []) {
    const folded = events.reduce(fold, NOTHING_SAID);
    this.stored = { id: header.id, header, length: events.length, updated: 0, folded };
    this.window = events.slice(-WINDOW);
    this.callIds = callIdsOf(events);
  }

  get events(): readonly SessionEvent[] {
    return this.batches.flat();
  }

  async append(expectedSeq: number, batch: readonly SessionEvent[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    if (expectedSeq !== this.stored.length + this.events.length) throw new StoreError('conflict', `${expectedSeq}`);
    this.batches.push(batch);
  }

  async keep(text: string): Promise<string> {
    if (this.failure) throw this.failure;
    const name = `blob${this.blobs.size}`;
    this.blobs.set(name, text);
    return name;
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

export function headerOf(id = 's_test', more: Partial<Header> = {}): Header {
  return { version: 1, id: id as SessionId, createdAt: 1, workspace: '/w', ...more };
}

export interface Prepared {
  readonly session: Session;
  readonly writer: MemoryWriter;
  readonly timers: FakeTimers;
  readonly faults: unknown[];
}

/** A Session on a log in memory, prepared and not yet announced. */
export function prepare(
  options: Partial<SessionOptions> & { readonly stored?: readonly SessionEvent[] } = {},
): Prepared {
  const { stored, ...rest } = options;
  const timers = new FakeTimers();
  const faults: unknown[] = [];
  const header = options.header ?? headerOf();
  const writer = new MemoryWriter(header, stored);
  const onFault = (fault: unknown) => void faults.push(fault);
  const session = new Session({ header, writer, now: () => timers.now, timers, onFault, ...rest });
  return { session, writer, timers, faults };
}

/** Drafts as a log would have committed them. */
export function committed(drafts: readonly SessionDraft[], from = 0): readonly SessionEvent[] {
  return drafts.map((draft, index) => ({ ...draft, seq: from + index, time: 5 }) as SessionEvent);
}
