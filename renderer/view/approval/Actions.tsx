import { TriangleAlert } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { decide, useApprovals, useWaitingCount, type Asked } from '../../store/approvals.ts';
import { useText } from '../../text/text.ts';
import { IS_MAC } from '../shortcuts/commands.ts';
import { useHiddenLines } from './hiddenLines.ts';
import { NoteButtons, NoteField } from './NoteForm.tsx';
import { PressButton } from './PressButton.tsx';
import { Readiness, Standing } from './Standing.tsx';
import type { Answers, NoteRefs } from './useAnswers.ts';

export interface ActionsProps {
  readonly asked: Exclude<Asked, { kind: 'ended' }>;
  /** As `useArmed` gives it. */
  readonly token: string | undefined;
  readonly answers: Answers;
  readonly root: RefObject<HTMLElement | null>;
  readonly noteRefs: NoteRefs;
}

/** Always on screen: what is not, where the answer stands, and the buttons. */
export function Actions({ asked, token, answers, root, noteRefs }: ActionsProps) {
  const { approval: words } = useText();
  const { approvalId } = asked.approval;
  const noteOpen = useApprovals(({ notes }) => notes.has(approvalId));
  const [enterOnAllow, setEnterOnAllow] = useState(false);
  const hidden = useHiddenLines(root);
  const onEnter = (): void => setEnterOnAllow(true);
  return (
    <div className="approval-actions">
      <div className="approval-standing">
        <Standing asked={asked} hint={enterOnAllow ? words.pressSpace(ALLOW_KEYS) : ''} />
        <Retry asked={asked} token={token} onEnter={onEnter} />
      </div>
      {noteOpen && <NoteField approvalId={approvalId} answers={answers} field={noteRefs.field} />}
      <div className="approval-buttons">
        {noteOpen ? (
          <NoteButtons approvalId={approvalId} token={token} answers={answers} />
        ) : (
          <Denials token={token} answers={answers} button={noteRefs.button} />
        )}
        <div className="approval-slot">
          {hidden > 0 && <span className="approval-hidden">{words.notVisible(hidden)}</span>}
          {token === undefined && asked.kind !== 'recording' && <Readiness />}
          <Place asked={asked} />
        </div>
        {!noteOpen && (
          <PressButton
            className={asked.approval.scope.to === 'danger-full-access' ? 'button danger' : 'button'}
            token={token}
            enter={false}
            onPress={answers.allow}
            onEnter={onEnter}
            keys="Alt+A"
          >
            <TriangleAlert size={14} aria-hidden /> {words.allow} <Keys letter="A" />
          </PressButton>
        )}
      </div>
    </div>
  );
}

interface DenialsProps extends Pick<ActionsProps, 'token' | 'answers'> {
  readonly button: NoteRefs['button'];
}

function Denials({ token, answers, button }: DenialsProps) {
  const { approval: words } = useText();
  return (
    <>
      <PressButton className="button" token={token} enter onPress={answers.deny} keys="Alt+D">
        {words.deny} <Keys letter="D" />
      </PressButton>
      <PressButton className="button" token={token} enter onPress={answers.openNote} keys="Alt+N" buttonRef={button}>
        {words.denyWithNote} <Keys letter="N" />
      </PressButton>
    </>
  );
}

const ALT = IS_MAC ? '⌥' : 'Alt ';
const ALLOW_KEYS = `${ALT}A`;

function Keys({ letter }: { readonly letter: string }) {
  return (
    <span className="key" aria-hidden>
      {ALT}
      {letter}
    </span>
  );
}

/** The same answer again, armed anew like any other. */
function Retry({ asked, token, onEnter }: { onEnter: () => void } & Pick<ActionsProps, 'asked' | 'token'>) {
  const { approval: words } = useText();
  if (asked.kind !== 'unconfirmed') return null;
  const { approval, decision, note } = asked;
  const denies = decision === 'deny';
  return (
    <PressButton
      className="button"
      token={token}
      enter={denies}
      {...(!denies && { onEnter })}
      onPress={() => void decide(approval.approvalId, decision, note)}
    >
      {words.retry[decision]}
    </PressButton>
  );
}

/** Where it stands in the queue of all Sessions. */
function Place({ asked: { approval } }: Pick<ActionsProps, 'asked'>) {
  const { approval: words } = useText();
  const of = useWaitingCount();
  const at = useApprovals(({ asked }) => {
    let before = 0;
    for (const [id, each] of asked) {
      if (id === approval.approvalId) break;
      if (each.kind !== 'ended') before += 1;
    }
    return before + 1;
  });
  return <span>{words.place(at, of)}</span>;
}
