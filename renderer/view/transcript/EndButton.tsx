import { ArrowDown } from 'lucide-react';
import { useState } from 'react';
import { loadEnd, type OpenSession } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { rowsSince } from '../../transcript/rowsSince.ts';
import type { Row } from '../../transcript/row.ts';
import type { List } from './useList.ts';

interface EndButtonProps {
  readonly rows: readonly Row[];
  readonly open: OpenSession;
  readonly list: List;
}

/** Drawn while a person reads above the end: says how much has come since, and goes there. */
export function EndButton({ rows, open, list }: EndButtonProps) {
  const { transcript } = useText();
  // As long as this is drawn, the end was left at this length of the log.
  const [left] = useState(open.length);
  const toEnd = async (): Promise<void> => {
    await loadEnd();
    requestAnimationFrame(() => list.scrollToEnd());
  };
  return (
    <button type="button" className="button transcript-end" onClick={() => void toEnd().catch(reportError)}>
      {transcript.newBelow(rowsSince(rows, left))}
      <ArrowDown size={14} aria-hidden />
    </button>
  );
}
