import { tailOf } from '../app/base/text.ts';
import type { CallId, SessionId } from '../app/base/id.ts';
import type { Push } from '../app/contract/pushes.ts';
import type { SessionEvent } from '../app/session/events.ts';
import type { Timers } from '../app/session/writeBehind.ts';
import type { OutputStream } from '../app/tool/tool.ts';
import type { PushSource } from './coreShape.ts';

type Output = Extract<Push, { push: 'output' }>;

/** No eye follows more, and a window that only shows a tail has no use for it. */
const INTERVAL_MS = 50;
const MOST_BYTES = 32 * 1024;

/**
 * The same pushes for a window, however fast a call writes: of each call at most one `output` in 50 ms, with the end of
 * what came meanwhile. What is cut off is dropped, for the result holds the truth. Everything else passes at once, and
 * what a call still owes goes before its result.
 */
export function paced(source: PushSource, timers: Timers): PushSource {
  return {
    onPush: (listener) => {
      const pace = new Pace(listener, timers);
      const leave = source.onPush((push) => pace.hear(push));
      return () => {
        leave();
        pace.close();
      };
    },
    readEvents: (sessionId, from, to) => source.readEvents(sessionId, from, to),
  };
}

/** What one listener is told. */
class Pace {
  readonly #listener: (push: Push) => void;
  readonly #timers: Timers;
  readonly #held = new Map<string, Held>();

  constructor(listener: (push: Push) => void, timers: Timers) {
    this.#listener = listener;
    this.#timers = timers;
  }

  hear(push: Push): void {
    if (push.push === 'output') {
      this.#hold(push.data);
      return;
    }
    if (push.push === 'event') this.#settle(push.data.sessionId, push.data.event);
    this.#listener(push);
  }

  close(): void {
    for (const { cancel } of this.#held.values()) cancel();
    this.#held.clear();
  }

  #hold({ sessionId, callId, stream, text }: Output['data']): void {
    const key = keyOf(sessionId, callId);
    const held = this.#held.get(key) ?? { sessionId, callId, tails: new Map(), cancel: this.#later(key) };
    this.#held.set(key, held);
    held.tails.set(stream, bounded((held.tails.get(stream) ?? '') + text));
  }

  #later(key: string): () => void {
    return this.#timers.after(INTERVAL_MS, () => this.#tell(key));
  }

  /** One stream at a time: a call that writes to two is told of each half as often. */
  #tell(key: string): void {
    const held = this.#held.get(key);
    const [first] = held?.tails ?? [];
    if (!held || !first) return;
    held.tails.delete(first[0]);
    if (held.tails.size === 0) this.#held.delete(key);
    else this.#held.set(key, { ...held, cancel: this.#later(key) });
    this.#listener(outputOf(held, first));
  }

  #settle(sessionId: SessionId, event: SessionEvent): void {
    if (event.type !== 'tool/result' && event.type !== 'tool/nested-result') return;
    const key = keyOf(sessionId, event.data.callId);
    const held = this.#held.get(key);
    if (!held) return;
    held.cancel();
    this.#held.delete(key);
    for (const tail of held.tails) this.#listener(outputOf(held, tail));
  }
}

/** What a call has written since it was last told of; in the order in which its streams began. */
interface Held {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly tails: Map<OutputStream, string>;
  readonly cancel: () => void;
}

function outputOf({ sessionId, callId }: Held, [stream, text]: readonly [OutputStream, string]): Push {
  return { push: 'output', data: { sessionId, callId, stream, text: tailOf(text, MOST_BYTES) } };
}

/** Cheap for every piece, however small: the exact cut is made when it is told. No text has more units than bytes. */
function bounded(text: string): string {
  return text.length > 2 * MOST_BYTES ? text.slice(-MOST_BYTES) : text;
}

function keyOf(sessionId: SessionId, callId: CallId): string {
  return `${sessionId} ${callId}`;
}
