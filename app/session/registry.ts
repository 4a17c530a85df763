import type { SessionId } from '../base/id.ts';
import type { Session } from './session.ts';

/** Told of each Session that comes to life, synchronously, and of the end of each it was told of. */
export interface Announcer {
  announced(session: Session): void;
  disposed(session: Session): void;
}

/** A live Session has this id already; it is untouched. */
export class DuplicateIdError extends Error {
  override readonly name = 'DuplicateIdError';
}

/**
 * The live Sessions of this process. Creation is prepare (construct) → enter → announce: pinning first, then persistence,
 * so that what pinning appends is in the first batch, then everybody else (sessions.md, Seed).
 */
export class Registry {
  readonly #sessions = new Map<SessionId, Session>();
  /** Whom each Session was announced to, in order. */
  readonly #told = new Map<Session, Announcer[]>();
  readonly #announcers: Announcer[];

  constructor(pinning: Announcer) {
    this.#announcers = [pinning, persistence];
  }

  /** Joins everybody else, behind those who came before. */
  subscribe(announcer: Announcer): () => void {
    this.#announcers.push(announcer);
    return () => void this.#announcers.splice(this.#announcers.indexOf(announcer), 1);
  }

  get(id: SessionId): Session | undefined {
    return this.#sessions.get(id);
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Makes a prepared Session live. Throws with everything rolled back; closing the Session is then the caller's. */
  create(session: Session): void {
    this.#enter(session);
    this.#announce(session);
  }

  /** Ends a Session's life here: the announcers are told in reverse order, then it is flushed and closed. */
  async remove(session: Session, onFault: (fault: unknown) => void): Promise<void> {
    if (this.#sessions.get(session.id) !== session) return session.close();
    // Until it is closed nobody else may take the id: the lock is still held.
    this.#dispose(session, onFault);
    try {
      await session.close();
    } finally {
      this.#sessions.delete(session.id);
    }
  }

  /** The authoritative check: between it and the announcement nothing else can run. */
  #enter(session: Session): void {
    if (this.#sessions.has(session.id)) throw new DuplicateIdError(`A Session ${session.id} is live already`);
    this.#sessions.set(session.id, session);
  }

  #announce(session: Session): void {
    const told: Announcer[] = [];
    this.#told.set(session, told);
    try {
      for (const announcer of Array.from(this.#announcers)) {
        // Before the call: also the one that throws half-way is told of the end.
        told.push(announcer);
        announcer.announced(session);
      }
    } catch (fault) {
      const faults: unknown[] = [fault];
      session.abandon();
      this.#dispose(session, (other) => void faults.push(other));
      this.#sessions.delete(session.id);
      if (faults.length === 1) throw fault;
      throw new AggregateError(faults, 'A creation failed, and so did taking it back', { cause: fault });
    }
  }

  #dispose(session: Session, onFault: (fault: unknown) => void): void {
    const told = this.#told.get(session) ?? [];
    this.#told.delete(session);
    for (const announcer of told.reverse()) {
      try {
        announcer.disposed(session);
      } catch (fault) {
        onFault(fault);
      }
    }
  }
}

const persistence: Announcer = {
  announced: (session) => session.begin(),
  disposed: () => undefined, // Closing writes what is left; a rolled back creation was abandoned before.
};
