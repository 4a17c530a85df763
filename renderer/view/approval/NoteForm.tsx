import type { KeyboardEvent } from 'react';
import type { ApprovalId } from '../../../app/base/id.ts';
import { useApprovals, writeNote } from '../../store/approvals.ts';
import { useText } from '../../text/text.ts';
import { PressButton } from './PressButton.tsx';
import type { Answers, NoteRefs } from './useAnswers.ts';

export interface NoteFieldProps {
  readonly approvalId: ApprovalId;
  readonly answers: Answers;
  readonly field: NoteRefs['field'];
}

/** What the agent is told with the denial. Enter makes a line; only the button sends it. Esc goes back to the buttons. */
export function NoteField({ approvalId, answers, field }: NoteFieldProps) {
  const { approval: words } = useText();
  const note = useNote(approvalId);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    answers.closeNote();
  };
  return (
    <label className="approval-note">
      {words.note} <span className="muted">{words.noteHint}</span>
      <textarea
        ref={field}
        className="field"
        rows={2}
        value={note}
        onChange={({ target }) => writeNote(approvalId, target.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

export interface NoteButtonsProps {
  readonly approvalId: ApprovalId;
  readonly token: string | undefined;
  readonly answers: Answers;
}

export function NoteButtons({ approvalId, token, answers }: NoteButtonsProps) {
  const { approval: words, common } = useText();
  const blank = useNote(approvalId).trim() === '';
  return (
    <>
      <PressButton className="button" token={blank ? undefined : token} enter onPress={answers.denyWithNote}>
        {words.denyWithThisNote}
      </PressButton>
      <button type="button" className="button plain" onClick={answers.closeNote}>
        {common.back}
      </button>
    </>
  );
}

function useNote(approvalId: ApprovalId): string {
  return useApprovals(({ notes }) => notes.get(approvalId) ?? '');
}
