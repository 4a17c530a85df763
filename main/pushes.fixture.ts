import type { SessionId } from '../app/base/id.ts';
import type { Push } from '../app/contract/pushes.ts';
import type { SessionEvent } from '../app/session/events.ts';
import type { PushSource } from './coreShape.ts';

/** Durable logs in memory that push what is committed to them, as the core does. */
export class MemorySource implements PushSource {
  readonly #logs = new Map<SessionId, SessionEvent[]>();
  readonly #listeners = new Set<(push: Push) => void>();
  /** Reads wait for the first and then see what is durable; the second holds up their answer. */
  readonly gates: { before: Promise<void>; after: Promise<void> } = {
    before: Promise.resolve(),
    after: Promise.resolve(),
  };
  /** Set: reads fail with it. */
  readFault: Error | undefined;

  get listeners(): number {
    return this.#listeners.size;
  }

  onPush(listener: (push: Push) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async readEvents(sessionId: SessionId, from: number, to: number): Promise<readonly SessionEvent[]> {
    await this.gates.before;
    if (this.readFault) throw this.readFault;
    const events = this.#log(sessionId).slice(from, to);
    await this.gates.after;
    return events;
  }

  push(push: Push): void {
    for (const listener of this.#listeners) listener(push);
  }

  /** Makes one more event durable and pushes it. */
  commit(sessionId: SessionId, draft: Pick<SessionEvent, 'type' | 'data'>): void {
    const log = this.#log(sessionId);
    // Only `seq` matters here; type and data belong together in every draft that a test names.
    const event = { ...draft, seq: log.length, time: 0 } as SessionEvent;
    log.push(event);
    this.push({ push: 'event', data: { sessionId, event } });
  }

  chunk(sessionId: SessionId, text = 'x'): void {
    this.commit(sessionId, { type: 'assistant/chunk', data: { turn: 1, step: 1, text } });
  }

  output(sessionId: SessionId, text: string): void {
    const data = { sessionId, callId: 'c1' as never, stream: 'stdout', text } as const;
    this.push({ push: 'output', data });
  }

  notice(noticeId: string): void {
    this.push({ push: 'notice', data: { noticeId, level: 'info', code: 'test', message: noticeId } });
  }

  #log(sessionId: SessionId): SessionEvent[] {
    const log = this.#logs.get(sessionId) ?? [];
    this.#logs.set(sessionId, log);
    return log;
  }
}
