import { Check, Undo2, X } from 'lucide-react';
import type { ApprovalId } from '../../../app/base/id.ts';
import type { SessionEvent } from '../../../app/session/events.ts';
import type { Asked, Ending } from '../../store/approvals.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { Lineage } from './Who.tsx';
import { endOf, titleOf } from './words.ts';

/** A question that is over: how, and where that is recorded. There is nothing to press. */
export function Ended({ asked }: { readonly asked: Extract<Asked, { kind: 'ended' }> }) {
  const { approval, here } = asked;
  const dictionary = useText();
  const recorded = useOpened(({ opened }) =>
    opened.kind === 'open' ? decisionIn(opened.events, approval.approvalId) : undefined,
  );
  const ending: Ending | undefined = recorded?.data ?? asked.ending;
  const id = `approval-${approval.approvalId}`;
  return (
    <section
      className="approval ended"
      role="dialog"
      aria-modal="false"
      aria-labelledby={id}
      data-approval={approval.approvalId}
      data-state="ended"
    >
      <h2 id={id}>{titleOf(approval, dictionary)}</h2>
      <p className="approval-who">
        <Lineage approval={approval} />
      </p>
      <p className="approval-end">
        <EndIcon ending={ending} /> {endOf(ending, here, dictionary)}{' '}
        {recorded && (
          <span className="muted">{dictionary.approval.recordedAt(dictionary.common.event(recorded.seq))}</span>
        )}
      </p>
    </section>
  );
}

function EndIcon({ ending }: { readonly ending: Ending | undefined }) {
  if (ending?.outcome === 'allowed-once') return <Check size={14} aria-hidden />;
  if (ending?.outcome === 'rejected' && ending.by === 'person') return <X size={14} aria-hidden />;
  return <Undo2 size={14} aria-hidden />;
}

function decisionIn(events: readonly SessionEvent[], id: ApprovalId) {
  const event = events.findLast(({ type, data }) => type === 'approval/decided' && data.id === id);
  return event?.type === 'approval/decided' ? event : undefined;
}
