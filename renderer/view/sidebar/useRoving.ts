import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Line } from './tree.ts';

interface RovingParts {
  readonly lines: readonly Line[];
  /** The key of the line of the shown Session. */
  readonly selected: string | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

interface Roving {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  /** The index of the one line that Tab reaches. */
  readonly active: number;
  /** Gives a line the focus, wherever it is. */
  readonly moveTo: (key: string) => void;
}

const GROUP_HEIGHT = 30;
const SESSION_HEIGHT = 46;

/** The lines on screen and the one that has the focus, which is drawn even when it was scrolled away. */
export function useRoving({ lines, selected, scroller }: RovingParts): Roving {
  const [chosen, setChosen] = useState<string>();
  const wanted = useRef<string>(undefined);
  const index = (key: string | undefined): number => lines.findIndex((line) => line.key === key);
  const active = Math.max(0, index(chosen) >= 0 ? index(chosen) : index(selected));
  // oxlint-disable-next-line react/incompatible-library -- there is no compiler here that would memoize its functions
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'group' ? GROUP_HEIGHT : SESSION_HEIGHT),
    // The same function while the lines are the same: another one makes it lay out all of them anew.
    getItemKey: useCallback((at: number) => lines[at]?.key ?? at, [lines]),
    overscan: 6,
    rangeExtractor: (range) => withActive(defaultRangeExtractor(range), active),
  });
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    // Escaped by the selector's own rules: a key holds a path.
    const line = scroller.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted.current)}"]`);
    wanted.current = undefined;
    line?.focus({ preventScroll: true });
  });
  const at = index(selected);
  const reached = useRef<string>(undefined);
  useEffect(() => {
    // Only when another Session is shown: a list that changes does not move under the pointer.
    if (at < 0 || reached.current === selected) return;
    reached.current = selected;
    virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, selected, virtual]);
  const moveTo = (key: string): void => {
    wanted.current = key;
    setChosen(key);
    virtual.scrollToIndex(index(key), { align: 'auto' });
  };
  return { virtual, active, moveTo };
}

function withActive(range: number[], active: number): number[] {
  return range.includes(active) ? range : [...range, active].toSorted((one, other) => one - other);
}
