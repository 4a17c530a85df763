import { ChevronRight } from 'lucide-react';
import { memo, Suspense } from 'react';
import { useMachine } from '../../../store/machine.ts';
import { useText } from '../../../text/text.ts';
import { headOf } from '../../../transcript/card/head.ts';
import { isJobLive } from '../../../transcript/card/jobTags.ts';
import type { Call } from '../../../transcript/row.ts';
import { printed } from '../../../transcript/terminal.ts';
import { Visible } from '../../approval/Visible.tsx';
import { later, type Fetchable } from '../../later.tsx';
import { useRowActions } from '../RowContext.ts';
import { Tags } from './Tags.tsx';
import './card.css';

const CardBody = later(async () => (await import('./CardBody.tsx')).CardBody);
export const CARD_VIEWS: readonly Fetchable[] = [CardBody];

interface CardProps {
  readonly rowKey: string;
  readonly call: Call;
  readonly open: boolean;
  readonly active: boolean;
}

// One element for all cards: a glyph never changes.
const MARK = <ChevronRight className="t-card-mark" size={14} aria-hidden />;

/** One call: closed, what it is and how it stands; open, everything that the log says of it. */
export const Card = memo(function Card({ rowKey, call, open, active }: CardProps) {
  const dictionary = useText();
  const { toggle } = useRowActions();
  const { tool, what } = headOf(call, dictionary);
  return (
    <div
      className="t-card"
      data-call={call.callId}
      data-phase={call.phase}
      data-status={call.result?.data.status}
      data-job={call.job?.phase}
    >
      <button
        type="button"
        className="t-card-head"
        aria-expanded={open}
        tabIndex={active ? 0 : -1}
        data-row-button={rowKey}
        onClick={() => toggle(rowKey)}
      >
        {MARK}
        <b>{tool}</b>
        <span className="t-card-what">
          <Visible text={what} />
        </span>
        <Tags call={call} />
      </button>
      {!open && (call.phase === 'running' || isJobLive(call)) && <LastLine call={call} />}
      {open && (
        <Suspense fallback={null}>
          <CardBody call={call} />
        </Suspense>
      )}
    </div>
  );
});

/** More than a line is never shown of it, and a line is not longer than this. */
const TAIL = 2_000;

function LastLine({ call: { callId } }: { readonly call: Call }) {
  const output = useMachine((state) => state.output.get(callId));
  const line = output && printed(output.slice(-TAIL).toWellFormed()).trimEnd().split('\n').at(-1);
  return line ? <p className="t-card-last clip">{line}</p> : null;
}
