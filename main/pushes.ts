import type { SessionId } from '../app/base/id.ts';
import type { Notice, Push } from '../app/contract/pushes.ts';
import type { SessionEvent } from '../app/session/events.ts';
import type { PushSource } from './coreShape.ts';
import { PushQueue } from './pushQueue.ts';

export interface PushesOptions {
  readonly source: PushSource;
  /** Hands one push over, as JSON text. Resolves when the client can take the next. */
  readonly deliver: (json: string) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
  /** Bytes that may wait for a slow client. */
  readonly bound?: number;
}

/** How far this door has been told a Session's events. */
interface Followed {
  /** The seq it is told next; undefined until the first live one comes. */
  next: number | undefined;
  /** One past the last durable event heard of. */
  known: number;
  /** Live events are not queued: the store is read from `next` on, as soon as the client has taken what waits. */
  behind: boolean;
}

const BOUND = 4 * 1024 * 1024;
/** Events read at once by a door that is behind: with the greatest size of an event, 4 MiB. */
const BATCH = 16;

/**
 * The pushes of one door. For each Session it follows, `event` pushes have strictly rising seq without a gap, however slow
 * the client is; everything else goes to every door. What waits is bounded: see PushQueue.
 */
export class DoorPushes {
  readonly #options: PushesOptions;
  readonly #queue: PushQueue;
  readonly #followed = new Map<SessionId, Followed>();
  readonly #unsubscribe: () => void;
  #running: Promise<void> | undefined;
  #lost = false;
  #closed = false;

  constructor(options: PushesOptions) {
    this.#options = options;
    this.#queue = new PushQueue(options.bound ?? BOUND);
    this.#unsubscribe = options.source.onPush((push) => this.#hear(push));
  }

  /** Begins at `seq` with what is stored, or without one at the next live event. Following already: goes on. */
  follow(sessionId: SessionId, seq?: number): void {
    const followed = this.#followed.get(sessionId);
    if (this.#closed || followed?.next !== undefined) return;
    this.#followed.set(sessionId, { next: seq, known: followed?.known ?? 0, behind: seq !== undefined });
    this.#wake();
  }

  /** Resolves when the client has taken everything that is owed so far. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Bytes that wait for the client. */
  get waitingBytes(): number {
    return this.#queue.bytes;
  }

  /** Nothing more is delivered. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#queue.clear();
    this.#followed.clear();
  }

  #hear(push: Push): void {
    switch (push.push) {
      case 'event':
        this.#hearEvent(push.data.sessionId, push.data.event);
        break;
      case 'output':
        this.#queue.offer(JSON.stringify(push), 'output');
        break;
      case 'session':
        this.#hearSession(push.data);
        this.#offerState(push);
        break;
      default:
        this.#offerState(push);
    }
    this.#wake();
  }

  #hearSession(data: Extract<Push, { push: 'session' }>['data']): void {
    if ('removed' in data) this.#followed.delete(data.sessionId);
    else if (data.row.parent && this.#followed.has(data.row.parent)) this.follow(data.row.sessionId);
  }

  #offerState(push: Push): void {
    if (!this.#queue.offer(JSON.stringify(push), 'state')) this.#lost = true;
  }

  #hearEvent(sessionId: SessionId, event: SessionEvent): void {
    const followed = this.#followed.get(sessionId);
    if (!followed) return;
    followed.known = Math.max(followed.known, event.seq + 1);
    followed.next ??= event.seq;
    this.#adopt(event);
    if (followed.behind || event.seq < followed.next) return;
    const fits = event.seq === followed.next && this.#queue.offer(toJson(sessionId, event), 'event');
    if (fits) followed.next = event.seq + 1;
    else followed.behind = true;
  }

  /** At once, also while the parent is behind: the child's own events do not wait for it. */
  #adopt(event: SessionEvent): void {
    if (event.type === 'session/delegated') this.follow(event.data.childId);
  }

  #wake(): void {
    this.#running ??= this.#run();
  }

  /** The only place that delivers: one push at a time, in the order of the queue. */
  async #run(): Promise<void> {
    try {
      // Not within `#wake`: the loop must not end before `#running` is set.
      await Promise.resolve();
      for (let job = this.#nextJob(); job; job = this.#nextJob()) await job();
    } catch (fault) {
      this.#options.onFault(fault);
      this.close();
    }
    // In the same breath as "nothing to do", so that no push falls between.
    this.#running = undefined;
  }

  #nextJob(): (() => Promise<void>) | undefined {
    const json = this.#queue.take() ?? this.#takeLost();
    if (json !== undefined) return () => this.#options.deliver(json);
    for (const [sessionId, followed] of this.#followed) {
      const from = followed.behind ? followed.next : undefined;
      if (from !== undefined) return () => this.#catchUp(sessionId, followed, from);
    }
    return undefined;
  }

  #takeLost(): string | undefined {
    if (!this.#lost) return undefined;
    this.#lost = false;
    return JSON.stringify({ push: 'notice', data: LOST } satisfies Push);
  }

  async #catchUp(sessionId: SessionId, followed: Followed, from: number): Promise<void> {
    const promised = followed.known;
    const events = await this.#read(sessionId, from);
    if (this.#closed || this.#followed.get(sessionId) !== followed) return;
    for (const event of events) {
      this.#queue.force(toJson(sessionId, event), 'event');
      this.#adopt(event);
      followed.next = event.seq + 1;
    }
    // What became durable while the store was being read may be missing from the answer: then it is read again.
    followed.behind = events.length === BATCH || from + events.length < followed.known;
    if (events.length === 0 && from < promised) {
      // Nothing can be read now. The next live event finds the gap and tries again.
      followed.behind = false;
      this.#queue.force(unreadable(sessionId, from), 'state');
    }
    // Behind its siblings: one long log does not keep the others waiting.
    this.#followed.delete(sessionId);
    this.#followed.set(sessionId, followed);
  }

  async #read(sessionId: SessionId, from: number): Promise<readonly SessionEvent[]> {
    try {
      return await this.#options.source.readEvents(sessionId, from, from + BATCH);
    } catch (fault) {
      this.#options.onFault(fault);
      return [];
    }
  }
}

const LOST: Notice = {
  noticeId: 'pushes-lost',
  level: 'warning',
  code: 'pushes-lost',
  message: 'This client was too slow and some pushes were dropped. Events are complete; list the rest again.',
};

function unreadable(sessionId: SessionId, from: number): string {
  const message = `Events of this Session from ${from} on cannot be read now; they follow with its next event.`;
  const notice: Notice = { noticeId: `unreadable-${sessionId}`, level: 'error', code: 'storage', message, sessionId };
  return JSON.stringify({ push: 'notice', data: notice } satisfies Push);
}

function toJson(sessionId: SessionId, event: SessionEvent): string {
  return JSON.stringify({ push: 'event', data: { sessionId, event } } satisfies Push);
}
