import type { SessionId } from '../../app/base/id.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { StoreError, type SessionStore, type StoredSession } from '../../app/session/store.ts';
import type { SessionView } from '../../app/session/view.ts';
import type { LiveSession } from './live.ts';
import type { Opened } from './opened.ts';
import type { Sessions } from './sessions.ts';

/** For what runs to its end whatever happens: nobody waits for it but a door. */
export const NEVER: AbortSignal = new AbortController().signal;

/** Finds the Session that a request names; an unknown one is `not-found` at every door. */
export class Lookup {
  readonly #sessions: Sessions;
  readonly #store: SessionStore;

  constructor(sessions: Sessions, store: SessionStore) {
    this.#sessions = sessions;
    this.#store = store;
  }

  live(id: SessionId): LiveSession | undefined {
    return this.#sessions.get(id);
  }

  /** Opened for writing where that is possible. */
  opened(id: SessionId): Promise<Opened> {
    return found(id, this.#sessions.open(id));
  }

  writable(id: SessionId): Promise<LiveSession> {
    return found(id, this.#sessions.writable(id));
  }

  /** Only looked at: no lock is taken and nothing is recovered. */
  stored(id: SessionId): Promise<StoredSession> {
    return found(id, this.#store.inspect(id, NEVER));
  }
}

export function viewOf(opened: Opened): SessionView {
  return opened.kind === 'live' ? opened.live.session.view() : opened.view;
}

async function found<T>(id: SessionId, finding: Promise<T>): Promise<T> {
  try {
    return await finding;
  } catch (fault) {
    if (!(fault instanceof StoreError) || fault.code !== 'not-found') throw fault;
    throw new RequestError('not-found', `There is no Session ${id}.`, { cause: fault });
  }
}
