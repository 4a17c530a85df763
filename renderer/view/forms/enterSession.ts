import { flushSync } from 'react-dom';
import type { SessionId } from '../../../app/base/id.ts';
import { go } from '../../store/place.ts';

/** To a Session that a person has just made or called by its name: the next thing is to say something to it. */
export function enterSession(sessionId: SessionId): void {
  flushSync(() => go({ kind: 'session', sessionId }));
  document.getElementById('composer')?.focus();
}
