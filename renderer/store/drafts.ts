import { create } from 'zustand';
import type { SessionId } from '../../app/base/id.ts';

/** Unsent text, by Session. It outlives the window: a crash or a reload loses nothing that was typed. */
export interface Drafts {
  readonly texts: Readonly<Record<string, string>>;
}

const KEY = 'gatehouse.draft.';
/** In the storage of this window alone: what has left the field and is not known to be recorded. */
const SENT = 'gatehouse.sent.';

export const useDrafts = create<Drafts>(() => ({ texts: stored() }));

export function setDraft(sessionId: SessionId, text: string): void {
  useDrafts.setState(({ texts }) => ({ texts: { ...texts, [sessionId]: text } }));
  tryStoring(() => {
    if (text === '') localStorage.removeItem(KEY + sessionId);
    else localStorage.setItem(KEY + sessionId, text);
  });
}

/** A window that is loaded anew before this is called with nothing has the text in its field again. */
export function keepSent(sessionId: SessionId, text: string): void {
  tryStoring(() => {
    if (text === '') sessionStorage.removeItem(SENT + sessionId);
    else sessionStorage.setItem(SENT + sessionId, text);
  });
}

/** More than the browser stores stays in the field all the same. */
function tryStoring(store: () => void): void {
  try {
    store();
  } catch (fault) {
    reportError(fault);
  }
}

/** What was sent and may not be recorded stands before what was typed since. */
function stored(): Record<string, string> {
  const texts = Object.fromEntries(entriesOf(localStorage, KEY));
  for (const [sessionId, sent] of entriesOf(sessionStorage, SENT)) {
    const text = [sent, texts[sessionId] ?? ''].filter(Boolean).join('\n');
    texts[sessionId] = text;
    tryStoring(() => {
      localStorage.setItem(KEY + sessionId, text);
      sessionStorage.removeItem(SENT + sessionId);
    });
  }
  return texts;
}

/** By what stands behind the prefix. */
function entriesOf(storage: Storage, prefix: string): readonly (readonly [string, string])[] {
  const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
  return keys.map((key) => [key.slice(prefix.length), storage.getItem(key) ?? ''] as const);
}
