import type { Note } from '../../app/contract/host.ts';
import { noteText } from '../text/text.ts';
import { go } from './place.ts';

/**
 * In the browser host the window shows what the Electron host shows by itself; main tells exactly one window. Without the
 * person's permission nothing is shown: the counters in the window and its title say the same.
 */
const shown = new Map<string, Notification>();

export function hearNote(note: Note): void {
  shown.get(note.noteId)?.close();
  shown.delete(note.noteId);
  if (note.withdrawn || !('Notification' in window) || Notification.permission !== 'granted') return;
  if (document.hasFocus()) return;
  const notification = new Notification(noteText(note), { tag: note.noteId });
  // A click brings the window forward and never answers anything.
  notification.addEventListener('click', () => {
    window.focus();
    go({ kind: 'session', sessionId: note.sessionId });
  });
  shown.set(note.noteId, notification);
}
