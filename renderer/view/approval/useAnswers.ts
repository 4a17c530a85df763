import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import type { ApprovalId } from '../../../app/base/id.ts';
import { decide, useApprovals, writeNote } from '../../store/approvals.ts';
import type { DialogFocus } from './useDialogFocus.ts';

/** What the focus moves between when the form for a note opens and closes. */
export interface NoteRefs {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
}

export interface Answers {
  readonly allow: () => void;
  readonly deny: () => void;
  /** Opens the form for a note; the focus moves into it. */
  readonly openNote: () => void;
  /** Forgets the note; the focus is on the button again. */
  readonly closeNote: () => void;
  readonly denyWithNote: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, token: string | undefined) => void;
}

/** What a person can do with one question, by button or by key. */
export function useAnswers(id: ApprovalId, focus: DialogFocus, { field, button }: NoteRefs): Answers {
  const noteOpen = useApprovals(({ notes }) => notes.has(id));
  const moves = useRef(false);
  useLayoutEffect(() => {
    // Only where the person has just opened or closed it: a form that is there already takes no focus.
    if (!moves.current) return;
    moves.current = false;
    focus.moveTo(noteOpen ? field.current : button.current);
  }, [noteOpen, focus, field, button]);
  const setNote = (note: string | undefined): void => {
    moves.current = true;
    writeNote(id, note);
  };
  const answers = {
    allow: () => void decide(id, 'allow-once'),
    deny: () => void decide(id, 'deny'),
    openNote: () => setNote(''),
    closeNote: () => setNote(undefined),
    denyWithNote: () => void decide(id, 'deny', useApprovals.getState().notes.get(id)?.toWellFormed()),
  };
  return { ...answers, onKeyDown: (event, token) => hearChord(event, token, answers) };
}

/**
 * Alt with D, N or A, by the place of the key, since Option makes another letter of it. Not while a note is written: there
 * Option writes. Of a key that is held, or came down before the buttons were armed, nothing is heard.
 */
function hearChord(event: KeyboardEvent, token: string | undefined, answers: Omit<Answers, 'onKeyDown'>): void {
  const { altKey, ctrlKey, metaKey, shiftKey, repeat, nativeEvent, target } = event;
  if (!altKey || ctrlKey || metaKey || shiftKey || event.getModifierState('AltGraph')) return;
  if (target instanceof HTMLTextAreaElement || nativeEvent.isComposing) return;
  const act = actionOf(nativeEvent.code, answers);
  if (!act) return;
  // Otherwise the browser would take some of them, armed or not.
  event.preventDefault();
  if (token !== undefined && !repeat && event.isTrusted) act();
}

function actionOf(code: string, { allow, deny, openNote }: Omit<Answers, 'onKeyDown'>): (() => void) | undefined {
  switch (code) {
    case 'KeyA':
      return allow;
    case 'KeyD':
      return deny;
    case 'KeyN':
      return openNote;
    default:
      return undefined;
  }
}
