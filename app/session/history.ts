import type { CallId } from '../base/id.ts';
import type { Text } from '../base/text.ts';
import { switchNotices } from '../policy/context.ts';
import { effective, foldPolicy, NO_POLICY, type PolicyState } from '../policy/fold.ts';
import type { ProposedCall, SessionEvent } from './events.ts';

/** What a model is shown of the conversation. Exactly three kinds of message, and context: what Gatehouse itself says. */
export type Message =
  | { readonly role: 'user'; readonly text: string | Text }
  | { readonly role: 'assistant'; readonly text: string | Text; readonly calls: readonly ProposedCall[] }
  | { readonly role: 'tool'; readonly callId: CallId; readonly text: string }
  | { readonly role: 'context'; readonly text: string };

/** The model history of a log, in log order. Chunks are never part of it: the whole answer is (contract.md, Events). */
export function history(events: Iterable<SessionEvent>): readonly Message[] {
  const reader = new HistoryReader();
  const messages = Array.from(events).flatMap((event) => reader.read(event));
  return [...messages, ...reader.end()];
}

/**
 * Reads a log in order, in as many pieces as it comes. A live switch is no event of its own for the model: its notice is
 * derived from the events of the knobs, so that it cannot differ from what was in force, and is told where the next
 * request was made. So no message ever comes between a call and its result, and what was sent once stays as it was.
 */
export class HistoryReader {
  #policy: PolicyState = NO_POLICY;
  /** The model has been told a policy: from now on a change of it is news. */
  #isTold = false;
  #notices: string[] = [];
  /** Messages and what hooks add to them, until a step sees them: until then a hook may refuse a message. */
  #accepted: Accepted[] = [];
  #through = Infinity;

  /** The messages that are complete with this event. */
  read(event: SessionEvent): readonly Message[] {
    switch (event.type) {
      case 'sandbox/mode':
      case 'approval/policy':
        this.#switch(event);
        return [];
      case 'context/policy': {
        this.#isTold = true;
        return [...this.end(), { role: 'context', text: event.data.text }];
      }
      case 'step/start':
        this.#through = event.data.through;
        return this.end();
      case 'user/message':
        this.#accepted.push({ seq: event.seq, message: { role: 'user', text: event.data.text } });
        return [];
      case 'hook/ran':
        this.#hook(event);
        return [];
      default: {
        const message = toMessage(event);
        return message ? [...this.#seen(), message] : [];
      }
    }
  }

  /** What a request that is made here is told besides. */
  end(): readonly Message[] {
    const lines = this.#notices.splice(0);
    const accepted = this.#accepted.splice(0).map(({ message }) => message);
    return lines.length === 0 ? accepted : [...accepted, { role: 'context', text: lines.join('\n') }];
  }

  /** What came too late for the last step is the next one's. */
  #seen(): readonly Message[] {
    const seen = this.#accepted.filter(({ seq }) => seq <= this.#through);
    this.#accepted = this.#accepted.filter(({ seq }) => seq > this.#through);
    return seen.map(({ message }) => message);
  }

  /** A hook of a call speaks in the result of that call (agent.md, Hooks). */
  #hook({ seq, data }: SessionEvent & { type: 'hook/ran' }): void {
    const { callId, prompt, on, decision, reason, context } = data;
    if (callId !== undefined) return;
    const isRefused = prompt !== undefined && (decision === 'deny' || decision === 'ask');
    if (isRefused) this.#accepted = this.#accepted.filter((each) => each.seq !== prompt && each.prompt !== prompt);
    if (prompt !== undefined && !this.#accepted.some((each) => each.seq === prompt)) return;
    const lines = [on === 'Stop' && decision === 'deny' ? reason : undefined, context].filter(
      (text) => text !== undefined,
    );
    if (lines.length === 0) return;
    const message = { role: 'context', text: `A hook says: ${lines.join('\n')}` } as const;
    this.#accepted.push({ seq, ...(prompt !== undefined && { prompt }), message });
  }

  #switch(event: SessionEvent): void {
    const before = effective(this.#policy);
    this.#policy = foldPolicy(this.#policy, event);
    if (this.#isTold) this.#notices.push(...switchNotices(before, effective(this.#policy)));
  }
}

interface Accepted {
  readonly seq: number;
  /** The message that it belongs to. */
  readonly prompt?: number;
  readonly message: Message;
}

function toMessage(event: SessionEvent): Message | undefined {
  switch (event.type) {
    case 'assistant/message':
      return { role: 'assistant', text: event.data.text, calls: event.data.calls };
    case 'tool/result':
      return { role: 'tool', callId: event.data.callId, text: event.data.content };
    default:
      return undefined;
  }
}
