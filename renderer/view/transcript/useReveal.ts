import { useEffect } from 'react';
import { loadAround, type OpenSession } from '../../store/opened.ts';
import { usePlace } from '../../store/place.ts';
import { rowOfEvent } from '../../transcript/rowsSince.ts';
import type { Row } from '../../transcript/row.ts';

/** A link somewhere else points to an event: its row is loaded, brought on screen and has the focus. */
export function useReveal(
  rows: readonly Row[],
  open: OpenSession,
  focus: (key: string, align: 'center') => void,
): void {
  const seq = usePlace((state) => state.reveal);
  const isHere = seq !== undefined && seq >= open.first && seq < open.end;
  const target = isHere ? rowOfEvent(rows, seq)?.key : undefined;
  const exists = seq !== undefined && seq < open.length;
  useEffect(() => {
    if (seq === undefined) return;
    if (target === undefined && exists) return void loadAround(seq).catch(reportError);
    usePlace.setState({ reveal: undefined });
    if (target !== undefined) focus(target, 'center');
  }, [seq, target, exists, focus]);
}
