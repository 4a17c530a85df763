import { useEffect, useMemo, useRef } from 'react';
import { useApprovals, type Asked } from '../../store/approvals.ts';
import { useText } from '../../text/text.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { grantWish } from './focusApproval.ts';

/** Every question of every Session, in full, the oldest first. Each is answered by its own id. */
export function ApprovalsPlace() {
  const { approval: words } = useText();
  const asked = useApprovals((state) => state.asked);
  const all = useMemo(() => Array.from(asked.values()), [asked]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => grantWish(heading.current), []);
  return (
    <div className="page approvals" data-region="approval">
      <h1 ref={heading} tabIndex={-1}>
        {words.placeTitle}
      </h1>
      {all.length === 0 && (
        <div className="empty">
          <p>{words.nothing}</p>
          <p>{words.nothingMore}</p>
        </div>
      )}
      {all.map(({ approval: { approvalId } }, at) => (
        <ApprovalDialog key={approvalId} approvalId={approvalId} scene={sceneOf(all.slice(0, at))} />
      ))}
    </div>
  );
}

/** Whatever changes above a dialog moves its buttons: they arm anew. */
function sceneOf(above: readonly Asked[]): string {
  return above.map(({ kind, approval }) => `${approval.approvalId}:${kind === 'ended'}`).join(' ');
}
