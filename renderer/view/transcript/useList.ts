import { defaultRangeExtractor, useVirtualizer, type Range, type ReactVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef, type RefObject } from 'react';
import type { Row } from '../../transcript/row.ts';

export type List = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;

/** As near to the end counts as being there. */
export const NEAR_END = 32;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly list: List;
}

/**
 * The rows in view, each measured as it is drawn. Whatever a person reads stays where it is, also when older rows come in
 * front. `kept` is drawn wherever it lies: it has the focus.
 */
export function useList(rows: readonly Row[], kept: string | undefined): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null);
  const keptIndex = kept === undefined ? -1 : rows.findIndex(({ key }) => key === kept);
  // oxlint-disable-next-line react/incompatible-library -- it is handed on as it is, and nothing is remembered of it
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimate(rows[index]),
    rangeExtractor: useCallback((range: Range) => withKept(range, keptIndex), [keptIndex]),
    initialOffset: () => rows.reduce((sum, row) => sum + estimate(row), 0),
    overscan: 8,
    paddingStart: 10,
    paddingEnd: 18,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  return { scroller, list };
}

function withKept(range: Range, kept: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || indexes.includes(kept)) return indexes;
  return [...indexes, kept].toSorted((one, other) => one - other);
}

/** Near enough until it is drawn. */
function estimate(row: Row | undefined): number {
  switch (row?.kind) {
    case 'card':
      return 48;
    case 'said':
      return 50;
    case 'answer':
      return 40;
    case 'turn':
      return 46;
    default:
      return 24;
  }
}
