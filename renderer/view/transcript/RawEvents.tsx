import { useMemo } from 'react';
import { useText } from '../../text/text.ts';
import { eventsOf } from '../../transcript/eventsOf.ts';
import type { Row } from '../../transcript/row.ts';
import { useRowActions } from './RowContext.ts';
import { PagedText } from './text/PagedText.tsx';

/** The events of a row as the log has them. */
export function RawEvents({ row }: { readonly row: Row }) {
  const { transcript } = useText();
  const { toggleRaw } = useRowActions();
  const text = useMemo(
    () =>
      eventsOf(row)
        .map((event) => JSON.stringify(event, null, 2))
        .join('\n'),
    [row],
  );
  return (
    <div className="t-raw">
      <p className="t-section-label">
        {transcript.rawEvent}
        <button type="button" className="link" onClick={() => toggleRaw(row.key)}>
          {transcript.hideRaw}
        </button>
      </p>
      <PagedText text={text} side="head" kind="output" label={transcript.rawEvent} />
    </div>
  );
}
