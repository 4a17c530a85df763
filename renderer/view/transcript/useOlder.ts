import { useEffect } from 'react';
import { forgetOlder, loadNewer, loadOlder, type OpenSession } from '../../store/opened.ts';
import type { Row } from '../../transcript/row.ts';
import type { List } from './useList.ts';

interface OlderParts {
  readonly list: List;
  readonly open: OpenSession;
  readonly atEnd: boolean;
  readonly isSearched: boolean;
}

/** So many events beyond what a window keeps are let go when a person is back at the end. */
const WORTH_IT = 600;

/** Rows from the end of what is here. */
const NEAR = 3;

/** Pages come when a person gets near them, and go when that person is back at the end; rows that are searched stay. */
export function useOlder(rows: readonly Row[], { list, open, atEnd, isSearched }: OlderParts): void {
  const { range } = list;
  const nearTop = open.first > 0 && range !== null && range.startIndex <= NEAR;
  const nearEnd = rows.at(-1)?.kind === 'newer' && range !== null && range.endIndex >= rows.length - 1 - NEAR;
  // One that failed is not asked for again by itself: its row has a button.
  useEffect(() => {
    if (nearTop) loadOlder().catch(reportError);
  }, [nearTop, open.first]);
  useEffect(() => {
    if (nearEnd) loadNewer().catch(reportError);
  }, [nearEnd, open.end]);
  const isLong = open.events.length > WORTH_IT;
  useEffect(() => {
    if (atEnd && isLong && !isSearched) forgetOlder();
  }, [atEnd, isLong, isSearched]);
}
