import { create } from 'zustand';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import { request } from '../../api.ts';
import { keepSent, setDraft, useDrafts } from '../../store/drafts.ts';

/** A message on its way to the log, by Session; nothing where none is. It outlives the view of its Session. */
export type Sending =
  | { readonly kind: 'recording'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

export const useSending = create<{ readonly sending: ReadonlyMap<SessionId, Sending> }>(() => ({
  sending: new Map(),
}));

/** Sends the draft. It leaves the field at once, and comes back before whatever was typed since when it was not recorded. */
export async function sendDraft(sessionId: SessionId): Promise<void> {
  const text = useDrafts.getState().texts[sessionId] ?? '';
  if (text.trim() === '' || useSending.getState().sending.get(sessionId)?.kind === 'recording') return;
  put(sessionId, { kind: 'recording', text });
  keepSent(sessionId, text);
  setDraft(sessionId, '');
  try {
    await request('session.prompt', { sessionId, text: text.toWellFormed() });
    put(sessionId, undefined);
  } catch (fault) {
    const since = useDrafts.getState().texts[sessionId] ?? '';
    setDraft(sessionId, since === '' ? text : `${text}\n${since}`);
    put(sessionId, { kind: 'failed', message: messageOf(fault) });
  } finally {
    keepSent(sessionId, '');
  }
}

function put(sessionId: SessionId, one: Sending | undefined): void {
  useSending.setState(({ sending }) => {
    const next = new Map(sending);
    if (one) next.set(sessionId, one);
    else next.delete(sessionId);
    return { sending: next };
  });
}
