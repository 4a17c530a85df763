import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type ReactVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';
import type { Row } from '../../transcript/row.ts';

export type List = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;

interface ListOptions {
  readonly kept: string | undefined;
  readonly hasOlder: boolean;
}

/** What stands above the first row while the log goes on there. */
const OLDER_PX = 40;

/** As near to the end counts as being there. */
export const NEAR_END = 32;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly list: List;
  readonly goTo: GoTo;
}

/** Brings a row on screen. */
export type GoTo = (key: string, align: 'auto' | 'center' | 'start') => void;

/** A page that comes in front within so long does not make it another row. */
const GOING_MS = 800;

/**
 * The rows in view, each measured as it is drawn. Whatever a person reads stays where it is, also when older rows come in
 * front. `kept` is drawn wherever it lies: it has the focus.
 */
export function useList(rows: readonly Row[], { kept, hasOlder }: ListOptions): VirtualRows {
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
    measureElement: measured,
    overscan: 6,
    paddingStart: hasOlder ? OLDER_PX : 10,
    paddingEnd: 18,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  useLayoutEffect(() => {
    list.shouldAdjustScrollPositionOnItemSizeChange = isAbove;
  }, [list]);
  return { scroller, list, goTo: useGoTo(rows, list) };
}

/** What grows above the view moves nothing in it, also while a person scrolls up: an answer is read as one gets near it. */
function isAbove(
  { key, start, end }: VirtualItem,
  _delta: number,
  { scrollOffset, itemSizeCache }: Measuring,
): boolean {
  const top = scrollOffset ?? 0;
  return itemSizeCache.has(key) ? end <= top : start < top;
}

type Measuring = Pick<Virtualizer<HTMLDivElement, HTMLDivElement>, 'scrollOffset' | 'itemSizeCache'>;

/** The list remembers where it is going by the place of a row; here it is remembered by its key. */
function useGoTo(rows: readonly Row[], list: List): GoTo {
  const going = useRef<{ readonly key: string; readonly align: 'auto' | 'center' | 'start'; readonly until: number }>(
    undefined,
  );
  useLayoutEffect(() => {
    const { key, align, until } = going.current ?? { key: '', align: 'auto' as const, until: 0 };
    const index = performance.now() < until ? indexOf(list, key) : -1;
    if (index >= 0) list.scrollToIndex(index, { align });
  }, [rows, list]);
  return useCallback(
    (key, align) => {
      going.current = { key, align, until: performance.now() + GOING_MS };
      const index = indexOf(list, key);
      if (index >= 0) list.scrollToIndex(index, { align });
    },
    [list],
  );
}

function indexOf({ options: { count, getItemKey } }: List, key: string): number {
  for (let index = 0; index < count; index += 1) if (getItemKey(index) === key) return index;
  return -1;
}

/**
 * Only ever what the observer tells, which is before anything is painted. To ask an element for its height while rows are
 * being put in would lay out all of them, once for each.
 */
function measured(
  element: HTMLDivElement,
  entry: ResizeObserverEntry | undefined,
  list: Virtualizer<HTMLDivElement, HTMLDivElement>,
): number {
  const box = entry?.borderBoxSize[0];
  if (box) return Math.round(box.blockSize);
  const index = list.indexFromElement(element);
  return list.itemSizeCache.get(list.options.getItemKey(index)) ?? list.options.estimateSize(index);
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
