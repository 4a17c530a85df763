import { useMemo } from 'react';
import type { CallId } from '../../../../app/base/id.ts';
import { tailOf } from '../../../../app/base/text.ts';
import { useMachine } from '../../../store/machine.ts';
import { useText } from '../../../text/text.ts';
import { FIRST_PAGE } from '../../../transcript/pages.ts';
import { printed } from '../../../transcript/terminal.ts';
import { OutputBox } from '../text/PagedText.tsx';

/** What a call has printed so far, the end of it. It may have gaps: the result holds the truth. */
export function LiveOutput({ callId }: { readonly callId: CallId }) {
  const { transcript } = useText();
  const output = useMachine((state) => state.output.get(callId));
  const shown = useMemo(() => output && printed(tailOf(output, FIRST_PAGE)), [output]);
  if (!shown) return null;
  const label = transcript.sections.liveOutput;
  return (
    <div className="t-section" role="group" aria-label={label}>
      <p className="t-section-head">
        <span className="t-section-label">{label}</span>
      </p>
      <OutputBox label={label} stuck start={0}>
        {shown}
      </OutputBox>
    </div>
  );
}
