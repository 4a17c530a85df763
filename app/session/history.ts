import type { CallId } from '../base/id.ts';
import type { Text } from '../base/text.ts';
import type { ProposedCall, SessionEvent } from './events.ts';

/** What a model is shown of the conversation. Exactly three kinds of message, and the one context message. */
export type Message =
  | { readonly role: 'user'; readonly text: string | Text }
  | { readonly role: 'assistant'; readonly text: string | Text; readonly calls: readonly ProposedCall[] }
  | { readonly role: 'tool'; readonly callId: CallId; readonly text: string }
  | { readonly role: 'context'; readonly text: string };

/** The model history of a log, in log order. Chunks are never part of it: the whole answer is (contract.md, Events). */
export function history(events: Iterable<SessionEvent>): readonly Message[] {
  const messages: Message[] = [];
  for (const event of events) {
    const message = toMessage(event);
    if (message) messages.push(message);
  }
  return messages;
}

function toMessage(event: SessionEvent): Message | undefined {
  switch (event.type) {
    case 'user/message':
      return { role: 'user', text: event.data.text };
    case 'assistant/message':
      return { role: 'assistant', text: event.data.text, calls: event.data.calls };
    case 'tool/result':
      return { role: 'tool', callId: event.data.callId, text: event.data.content };
    case 'context/policy':
      return { role: 'context', text: event.data.text };
    default:
      return undefined;
  }
}
