import type { ApprovalId } from '../../../app/base/id.ts';
import { useApprovals } from '../../store/approvals.ts';
import { Ended } from './Ended.tsx';
import { Question } from './Question.tsx';
import './approval.css';

export interface ApprovalDialogProps {
  readonly approvalId: ApprovalId;
  /** Names what stands before it and moves it when it changes. */
  readonly scene: string;
}

/** One approval, by its own id: to be answered, or how it ended. */
export function ApprovalDialog({ approvalId, scene }: ApprovalDialogProps) {
  const asked = useApprovals((state) => state.asked.get(approvalId));
  if (!asked) return null;
  return asked.kind === 'ended' ? <Ended asked={asked} /> : <Question asked={asked} scene={scene} />;
}
