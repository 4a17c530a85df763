import { useEffect } from 'react';
import type { ApprovalId } from '../../../app/base/id.ts';
import { useApprovals, type Approvals, type Asked } from '../../store/approvals.ts';
import { text } from '../../text/text.ts';
import { announce, useAnnouncement } from './announce.ts';
import { visibleText } from '../../../app/base/visible.ts';
import { endOf, exactlyOf, sessionOf, shortOf } from './words.ts';

/** What a screen reader is told wherever the focus is: each approval that is needed, once, and each that ends elsewhere. */
export function Announcer() {
  const said = useAnnouncement((state) => state.text);
  const turn = useAnnouncement((state) => state.turn);
  useEffect(() => follow(), []);
  return (
    <div className="heard" role="status" aria-live="polite">
      <span key={turn}>{said}</span>
    </div>
  );
}

function follow(): () => void {
  let known = new Map<ApprovalId, 'asked' | 'ended'>();
  const hear = ({ asked }: Approvals): void => {
    const sentences = Array.from(asked.values()).flatMap((each) => news(each, known.get(each.approval.approvalId)));
    known = new Map(Array.from(asked, ([id, { kind }]) => [id, kind === 'ended' ? 'ended' : 'asked']));
    if (sentences.length > 0) announce(sentences.join(' '));
  };
  hear(useApprovals.getState());
  return useApprovals.subscribe(hear);
}

function news(asked: Asked, known: 'asked' | 'ended' | undefined): readonly string[] {
  const dictionary = text();
  const { approval } = asked;
  const session = sessionOf(approval, dictionary);
  if (asked.kind === 'ended') {
    if (known === 'ended' || asked.here) return [];
    return [dictionary.approval.over(session, endOf(asked.ending, false, dictionary))];
  }
  if (known !== undefined) return [];
  return [
    dictionary.approval.needed(session, shortOf(approval, dictionary), beginning(exactlyOf(approval.subject).text)),
  ];
}

/** Enough to know which it is; the dialog holds all of it. */
const HEARD = 240;

function beginning(text: string): string {
  const start = visibleText(text.slice(0, HEARD).toWellFormed());
  return text.length > HEARD ? `${start}…` : start;
}
