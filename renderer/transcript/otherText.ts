import type { SessionEvent } from '../../app/session/events.ts';
import type { Dictionary } from '../text/text.ts';
import type { FactText } from './sentences.ts';

/** What has no other place than its own line. */
export function otherText(event: SessionEvent, { transcript: { facts, by } }: Dictionary): FactText {
  switch (event.type) {
    case 'session/title':
      return { text: facts.title(event.data.title, by[event.data.by]) };
    case 'session/notice':
      return { text: facts.notice(event.data.message) };
    case 'session/end-seed':
      return { text: facts.seed() };
    case 'session/delegated':
      return { text: facts.delegated(event.data.title), child: event.data.childId };
    case 'sandbox/settings':
      return { text: facts.settings() };
    default:
      return { text: facts.unknown(event.type) };
  }
}
