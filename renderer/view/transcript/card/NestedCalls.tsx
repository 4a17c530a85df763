import { ChevronRight } from 'lucide-react';
import { memo, useState, type ComponentType } from 'react';
import { useText } from '../../../text/text.ts';
import { headOf } from '../../../transcript/card/head.ts';
import type { Call } from '../../../transcript/row.ts';
import { Visible } from '../../approval/Visible.tsx';
import { Tags } from './Tags.tsx';

/** A program may make a thousand calls: so many are drawn at once. */
const PAGE = 50;

interface CallProps {
  readonly call: Call;
}

interface NestedCallsProps {
  readonly calls: readonly Call[];
  /** What an opened call shows: the same as a card of its own. */
  readonly body: ComponentType<CallProps>;
}

/** The calls of a program in the order they were made. */
export function NestedCalls({ calls, body }: NestedCallsProps) {
  const { transcript: words } = useText();
  const [from, setFrom] = useState(0);
  const to = Math.min(calls.length, from + PAGE);
  return (
    <div className="t-section" role="group" aria-label={words.sections.calls(calls.length)}>
      <p className="t-section-head">
        <span className="t-section-label">{words.sections.calls(calls.length)}</span>
        {calls.length > PAGE && (
          <>
            <span className="muted">{words.shown(from + 1, to, calls.length)}</span>
            <button type="button" className="link" disabled={from === 0} onClick={() => setFrom(from - PAGE)}>
              {words.showEarlier}
            </button>
            <button type="button" className="link" disabled={to === calls.length} onClick={() => setFrom(from + PAGE)}>
              {words.showLater}
            </button>
          </>
        )}
      </p>
      <ul className="t-nested">
        {calls.slice(from, to).map((call) => (
          <NestedCall key={call.callId} call={call} body={body} />
        ))}
      </ul>
    </div>
  );
}

const NestedCall = memo(function NestedCall({ call, body: Body }: CallProps & Pick<NestedCallsProps, 'body'>) {
  const dictionary = useText();
  const [open, setOpen] = useState(false);
  const { tool, what } = headOf(call, dictionary);
  return (
    <li data-call={call.callId}>
      <button type="button" className="t-nested-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight className="t-card-mark" size={14} aria-hidden />
        <b>{tool}</b>
        <code className="t-card-what">
          <Visible text={what} />
        </code>
        <Tags call={call} />
      </button>
      {open && <Body call={call} />}
    </li>
  );
});
