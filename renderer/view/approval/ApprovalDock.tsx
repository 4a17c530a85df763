import { Suspense, useEffect, useMemo, useState } from 'react';
import type { ApprovalId, SessionId } from '../../../app/base/id.ts';
import { useApprovals, type Asked } from '../../store/approvals.ts';
import { useText } from '../../text/text.ts';
import { later, type Fetchable } from '../later.tsx';
import { focusApproval } from './focusApproval.ts';
import { Lineage } from './Who.tsx';
import { shortOf } from './words.ts';
import './approval.css';

const ApprovalDialog = later(async () => (await import('./ApprovalDialog.tsx')).ApprovalDialog);
export const APPROVAL_VIEWS: readonly Fetchable[] = [ApprovalDialog];

/**
 * The questions of this Session and of those below it, above the composer: one in full, next to it, so that its buttons
 * stay where they are when others come and go; the others as rows that bring them up.
 */
export function ApprovalDock({ sessionId }: { readonly sessionId: SessionId }) {
  const asked = useApprovals((state) => state.asked);
  const here = useMemo(() => Array.from(asked.values()).filter((each) => isOf(each, sessionId)), [asked, sessionId]);
  const [chosen, choose] = useState<ApprovalId>();
  useEffect(() => {
    // Before it is needed: a question does not wait for its dialog to be fetched.
    ApprovalDialog.fetch().catch(reportError);
  }, []);
  useEffect(() => {
    if (chosen !== undefined) focusApproval();
  }, [chosen]);
  if (here.length === 0) return null;
  const waiting = here.filter(({ kind }) => kind !== 'ended');
  const shown = waiting.find(({ approval }) => approval.approvalId === chosen) ?? waiting[0];
  const ended = here.filter(({ kind }) => kind === 'ended');
  return (
    <div className="approval-dock" data-region="approval">
      <Suspense fallback={null}>
        <div className="approval-others">
          {ended.map(({ approval: { approvalId } }) => (
            <ApprovalDialog key={approvalId} approvalId={approvalId} scene="" />
          ))}
          {waiting.map(
            (each) => each !== shown && <Other key={each.approval.approvalId} asked={each} choose={choose} />,
          )}
        </div>
        {shown && <ApprovalDialog key={shown.approval.approvalId} approvalId={shown.approval.approvalId} scene="" />}
      </Suspense>
    </div>
  );
}

interface OtherProps {
  readonly asked: Asked;
  readonly choose: (id: ApprovalId) => void;
}

function Other({ asked: { approval }, choose }: OtherProps) {
  const dictionary = useText();
  return (
    <button type="button" className="approval-row" onClick={() => choose(approval.approvalId)}>
      <span className="approval-row-what">{shortOf(approval, dictionary)}</span>
      <span className="clip muted">
        <Lineage approval={approval} />
      </span>
    </button>
  );
}

function isOf({ approval }: Asked, sessionId: SessionId): boolean {
  return approval.lineage.some((ancestor) => ancestor.sessionId === sessionId);
}
