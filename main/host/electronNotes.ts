import { Notification } from 'electron/main';
import type { SessionId } from '../../app/base/id.ts';
import type { Note } from '../../app/contract/host.ts';
import type { Texts } from '../electron/text.ts';

export interface ElectronNotesOptions {
  readonly texts: () => Texts;
  /** A click. It brings the Session before the person and answers nothing. */
  readonly open: (sessionId: SessionId) => void;
}

/** Notes on the desktop, one for one thing (ui.md, Around it). They say that something is, and never what. */
export class ElectronNotes {
  readonly #options: ElectronNotesOptions;
  readonly #shown = new Map<string, Notification>();

  constructor(options: ElectronNotesOptions) {
    this.#options = options;
  }

  show({ noteId, kind, sessionId, title, withdrawn }: Note): void {
    this.#takeBack(noteId);
    if (withdrawn || !Notification.isSupported()) return;
    const { notes, untitled } = this.#options.texts();
    const note = new Notification({ title: notes[kind], body: title || untitled });
    // Also so that it is not collected while it is shown, which would take its click away.
    this.#shown.set(noteId, note);
    note.on('click', () => {
      this.#takeBack(noteId);
      this.#options.open(sessionId);
    });
    note.on('close', () => {
      if (this.#shown.get(noteId) === note) this.#shown.delete(noteId);
    });
    note.show();
  }

  close(): void {
    for (const noteId of Array.from(this.#shown.keys())) this.#takeBack(noteId);
  }

  #takeBack(noteId: string): void {
    const note = this.#shown.get(noteId);
    this.#shown.delete(noteId);
    note?.close();
  }
}
