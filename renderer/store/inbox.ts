import type { CallId, SessionId } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import type { SessionEvent } from '../../app/session/events.ts';

/**
 * Pushes that wait to be taken over, all of them at once. While what is shown is asked for anew they are held: a list may
 * be older than what is told of meanwhile, and would undo it.
 */
export class Inbox {
  readonly #later: (job: () => void) => void;
  readonly #take: (pushes: readonly Push[]) => void;
  #waiting: Push[] = [];
  #holds = 0;
  #scheduled = false;

  /** `later` runs the job soon; `take` gets what has come by then. */
  constructor(later: (job: () => void) => void, take: (pushes: readonly Push[]) => void) {
    this.#later = later;
    this.#take = take;
  }

  add(push: Push): void {
    this.#waiting.push(push);
    this.#schedule();
  }

  /** Until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      this.#schedule();
    };
  }

  #schedule(): void {
    if (this.#scheduled || this.#holds > 0 || this.#waiting.length === 0) return;
    this.#scheduled = true;
    this.#later(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#holds > 0) return;
    const pushes = this.#waiting;
    this.#waiting = [];
    if (pushes.length > 0) this.#take(pushes);
  }
}

export interface Sorted {
  readonly events: ReadonlyMap<SessionId, readonly SessionEvent[]>;
  /** What calls of the Session that is shown have printed. */
  readonly output: ReadonlyMap<CallId, string>;
  /** Calls of that Session that print nothing more: they have their result. */
  readonly ended: readonly CallId[];
}

/**
 * Output is of use where it is shown alone. Elsewhere calls may have the same ids, and their results, with which it goes,
 * are not told to every window.
 */
export function sorted(pushes: readonly Push[], shown: SessionId | undefined): Sorted {
  const events = new Map<SessionId, SessionEvent[]>();
  const output = new Map<CallId, string>();
  for (const push of pushes) {
    if (push.push === 'event') gather(events, push.data.sessionId, push.data.event);
    else if (push.push === 'output' && push.data.sessionId === shown) {
      const { callId, text } = push.data;
      output.set(callId, (output.get(callId) ?? '') + text);
    }
  }
  const ended = shown === undefined ? [] : (events.get(shown) ?? []).flatMap(endedCall);
  return { events, output, ended };
}

function gather(events: Map<SessionId, SessionEvent[]>, sessionId: SessionId, event: SessionEvent): void {
  const list = events.get(sessionId);
  if (list) list.push(event);
  else events.set(sessionId, [event]);
}

function endedCall(event: SessionEvent): readonly CallId[] {
  if (event.type !== 'tool/result' && event.type !== 'tool/nested-result') return [];
  // What a job prints has the id of the call that started it, which has its result at once.
  return event.data.tool === 'job_start' ? [] : [event.data.callId];
}
