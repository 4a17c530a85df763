import { useCallback, useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Row } from '../../transcript/row.ts';
import type { RowActions } from './RowContext.ts';
import type { GoTo, List } from './useList.ts';

interface FocusParts {
  readonly list: List;
  readonly goTo: GoTo;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly active: string | undefined;
  readonly setActive: (key: string | undefined) => void;
  readonly actions: RowActions;
}

export interface FocusedRow {
  readonly focus: (key: string, align?: 'auto' | 'center') => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** ↑ and ↓ go from row to row, Enter opens one, `r` shows its raw events, `c` copies a bug report, Esc goes back to writing. */
export function useFocusedRow(
  rows: readonly Row[],
  { list, goTo, scroller, active, setActive, actions }: FocusParts,
): FocusedRow {
  const wanted = useRef<string>(undefined);
  const focus = useCallback(
    (key: string, align: 'auto' | 'center' = 'auto'): void => {
      wanted.current = key;
      setActive(key);
      goTo(key, align);
      // It is drawn already where it was active before.
      list.elementsCache.get(key)?.focus({ preventScroll: true });
    },
    [list, goTo, setActive],
  );
  useLayoutEffect(() => {
    if (wanted.current === undefined || wanted.current !== active) return;
    const row = list.elementsCache.get(wanted.current);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  const onFocus = (event: FocusEvent): void => {
    const key = event.target.closest<HTMLElement>('[data-key]')?.dataset['key'];
    if (key !== undefined && key !== active) setActive(key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowAt(event.target);
    if (row === undefined && event.target !== scroller.current) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = nextRow(rows, row ?? firstStep(list, step), row === undefined ? 0 : step);
      if (next === undefined) return;
      event.preventDefault();
      return focus(next.key);
    }
    if (row !== undefined && act(event.key, row, { actions, isRow: event.target === list.elementsCache.get(row) }))
      event.preventDefault();
  };
  return { focus, onFocus, onKeyDown };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The row that has the focus, itself or on the button that opens it; elsewhere in it the keys mean something else. */
function rowAt(target: EventTarget): string | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  return target.dataset['key'] ?? target.closest<HTMLElement>('[data-row-button]')?.dataset['rowButton'];
}

/** From the scrolled area one gets to the row at its upper or lower edge. */
function firstStep(list: List, step: number): string | undefined {
  const { range } = list;
  const index = step > 0 ? range?.startIndex : range?.endIndex;
  const key = index === undefined ? undefined : list.options.getItemKey(index);
  return key === undefined ? undefined : String(key);
}

function nextRow(rows: readonly Row[], from: string | undefined, step: number): Row | undefined {
  const at = rows.findIndex(({ key }) => key === from);
  return at < 0 ? rows.at(-1) : rows[at + step];
}

function act(
  key: string,
  row: string,
  { actions, isRow }: { readonly actions: RowActions; readonly isRow: boolean },
): boolean {
  switch (key) {
    case 'Enter':
    case ' ':
      // A button does that by itself.
      if (isRow) actions.toggle(row);
      return isRow;
    case 'r':
      actions.toggleRaw(row);
      return true;
    case 'c':
      actions.copyReport(row);
      return true;
    case 'Escape':
      document.getElementById('composer')?.focus();
      return true;
    default:
      return false;
  }
}
