import { useCallback, useEffect, useMemo, useState, type RefObject } from 'react';
import { useText } from '../../../text/text.ts';
import { isInside, says } from '../../../transcript/find.ts';
import type { Row } from '../../../transcript/row.ts';
import type { GoTo } from '../useList.ts';
import { useNames } from '../useNames.ts';
import { useMatches } from './useMatches.ts';
import { useMarks } from './useMarks.ts';

interface FindParts {
  readonly goTo: GoTo;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

export interface Find {
  /** Undefined: the bar is closed. */
  readonly query: string | undefined;
  readonly setQuery: (query: string) => void;
  /** Rows that say it; undefined while they are looked for. */
  readonly count: number | undefined;
  /** From 1; 0 while none of them was gone to. */
  readonly at: number;
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

/** Find in transcript: among the rows that are here, in what they show and in what they would show when opened. */
export function useFind(rows: readonly Row[], { goTo, scroller, opened, toggle }: FindParts): Find {
  const [query, setQuery] = useState<string>();
  const [at, setAt] = useState<string>();
  const dictionary = useText();
  const names = useNames();
  const wording = useMemo(() => ({ dictionary, names }), [dictionary, names]);
  const wanted = query?.trim().toLowerCase() ?? '';
  const test = useCallback((row: Row) => says(row, wanted, wording), [wanted, wording]);
  const matches = useMatches(rows, wanted, test);
  useMarks(scroller, wanted);
  useFindKeys(scroller, setQuery);
  const place = at === undefined ? -1 : (matches?.indexOf(at) ?? -1);
  const step = (by: 1 | -1): void => {
    if (!matches || matches.length === 0) return;
    // From the newest backwards, as one reads a log; from then on in either direction.
    const next = matches[place < 0 ? matches.length - 1 : (place + by + matches.length) % matches.length];
    const row = rows.find(({ key }) => key === next);
    if (next === undefined || !row) return;
    setAt(next);
    if (!opened.has(next) && isInside(row, wanted, wording)) toggle(next);
    goTo(next, 'center');
  };
  const close = (): void => {
    setQuery(undefined);
    scroller.current?.focus();
  };
  return { query, setQuery, count: matches?.length, at: place + 1, step, close };
}

/** Ctrl/Cmd+F from the transcript or from what is being written. */
function useFindKeys(
  scroller: RefObject<HTMLDivElement | null>,
  open: (change: (query?: string) => string) => void,
): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      const { target } = event;
      const isHere =
        target === document.body ||
        (target instanceof Element && target.closest('[data-region="transcript"], [data-region="composer"]') !== null);
      if (!isHere || !scroller.current) return;
      event.preventDefault();
      open((query) => query ?? '');
      document.getElementById('transcript-find')?.focus();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [scroller, open]);
}
