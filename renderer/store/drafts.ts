import { create } from 'zustand';
import type { SessionId } from '../../app/base/id.ts';

/** Unsent text, by Session. It outlives the window: a crash or a reload loses nothing that was typed. */
export interface Drafts {
  readonly texts: Readonly<Record<string, string>>;
}

const KEY = 'gatehouse.draft.';

export const useDrafts = create<Drafts>(() => ({ texts: stored() }));

export function setDraft(sessionId: SessionId, text: string): void {
  useDrafts.setState(({ texts }) => ({ texts: { ...texts, [sessionId]: text } }));
  if (text === '') localStorage.removeItem(KEY + sessionId);
  else localStorage.setItem(KEY + sessionId, text);
}

function stored(): Record<string, string> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
  return Object.fromEntries(keys.map((key) => [key.slice(KEY.length), localStorage.getItem(key) ?? '']));
}
