import type { SessionId } from '../base/id.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { StartedItem } from './cleanup.ts';

/** What the Sessions of this process have started and what of it still lives: the question "what would a switch stop?". */
export class Started {
  readonly #sessions = new Map<SessionId, Set<Entry>>();

  /** The returned function removes it: call it when the thing is gone. */
  add(sessionId: SessionId, item: StartedItem): () => void {
    const entries = this.#sessions.get(sessionId) ?? new Set<Entry>();
    const entry: Entry = { item, ending: false };
    entries.add(entry);
    this.#sessions.set(sessionId, entries);
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && this.#sessions.get(sessionId) === entries) this.#sessions.delete(sessionId);
    };
  }

  list(sessionId: SessionId): readonly StartedItem[] {
    return this.#entries(sessionId).map((entry) => entry.item);
  }

  /**
   * Live items of another Mode that are not being ended already: what a switch to `mode` stops. Ask before the switch;
   * right after it they are being ended. An escalated item counts by the standing Mode it was admitted under.
   */
  stoppedBy(sessionId: SessionId, mode: Mode): readonly StartedItem[] {
    return this.#entries(sessionId)
      .filter(({ item, ending }) => !ending && (item.standing ?? item.mode) !== mode)
      .map((entry) => entry.item);
  }

  /** It is being ended; it stays listed until whoever added it removes it. */
  markEnding(sessionId: SessionId, item: StartedItem): void {
    for (const entry of this.#entries(sessionId)) if (isSameItem(entry.item, item)) entry.ending = true;
  }

  #entries(sessionId: SessionId): readonly Entry[] {
    return Array.from(this.#sessions.get(sessionId) ?? []);
  }
}

interface Entry {
  readonly item: StartedItem;
  ending: boolean;
}

/** One call may start several processes, and a pid may be somebody else's later: all four together name one thing. */
export function isSameItem(one: StartedItem, other: StartedItem): boolean {
  return (
    one.what === other.what &&
    one.id === other.id &&
    one.process?.pid === other.process?.pid &&
    one.process?.startTime === other.process?.startTime
  );
}
