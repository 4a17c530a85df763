import { useRef, type KeyboardEvent } from 'react';
import type { Asked } from '../../store/approvals.ts';
import { useApprovals } from '../../store/approvals.ts';
import { useText } from '../../text/text.ts';
import { Actions } from './Actions.tsx';
import { useAnswers } from './useAnswers.ts';
import { useArmed } from './useArmed.ts';
import { useDialogFocus, useReturnBeforeEnd } from './useDialogFocus.ts';
import { What } from './What.tsx';
import { Who } from './Who.tsx';
import { Why } from './Why.tsx';
import { titleOf } from './words.ts';

export interface QuestionProps {
  readonly asked: Exclude<Asked, { kind: 'ended' }>;
  /** Names what stands before this dialog and moves it when it changes. */
  readonly scene: string;
}

/** A question that can be answered, in full (ui.md, Approval dialog). */
export function Question({ asked, scene }: QuestionProps) {
  const { approval } = asked;
  const { approvalId } = approval;
  const dictionary = useText();
  const noteOpen = useApprovals(({ notes }) => notes.has(approvalId));
  const pressable = asked.kind !== 'recording';
  const token = useArmed(pressable ? [approvalId, asked.kind, noteOpen, scene].join(' ') : undefined);
  const root = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const focus = useDialogFocus(root);
  useReturnBeforeEnd(root, focus);
  const answers = useAnswers(approvalId, focus, { field, button });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    focus.onKeyDown(event);
    answers.onKeyDown(event, token);
  };
  const id = `approval-${approvalId}`;
  return (
    <section
      ref={root}
      className="approval"
      role="dialog"
      aria-modal="false"
      aria-labelledby={id}
      data-approval={approvalId}
      data-state={asked.kind}
      data-armed={token !== undefined}
      onFocus={focus.onFocus}
      onKeyDown={onKeyDown}
    >
      <h2 id={id} tabIndex={-1} data-heading>
        {titleOf(approval, dictionary)}
      </h2>
      <Who approval={approval} />
      <div className="approval-body">
        <What approval={approval} />
        <Why approval={approval} />
      </div>
      <Actions asked={asked} token={token} answers={answers} root={root} noteRefs={{ field, button }} />
    </section>
  );
}
