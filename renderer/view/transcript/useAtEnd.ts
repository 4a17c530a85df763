import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NEAR_END, type VirtualRows } from './useList.ts';

export interface AtEnd {
  /** The end is in view, and what comes is followed. */
  readonly atEnd: boolean;
  readonly onScroll: () => void;
}

/**
 * The end is followed until a person scrolls up, and again once it is in view: neither rows that grow nor a dialog that
 * takes room below are a reason to lose it.
 */
export function useAtEnd({ scroller, list }: VirtualRows, isWhole: boolean): AtEnd {
  const [isLow, setLow] = useState(true);
  // The end of what is here is not the end of the log.
  const atEnd = isLow && isWhole;
  const top = useRef(0);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isUp = scrollTop < top.current - 1;
    top.current = scrollTop;
    if (scrollHeight - clientHeight - scrollTop <= NEAR_END) setLow(true);
    else if (isUp) setLow(false);
  }, [scroller]);
  const { count } = list.options;
  useLayoutEffect(() => {
    if (atEnd && count > 0) list.scrollToEnd();
  }, [atEnd, count, list]);
  useEffect(() => {
    const element = scroller.current;
    if (!atEnd || !element) return undefined;
    const watch = new ResizeObserver(() => list.scrollToEnd());
    watch.observe(element);
    return () => watch.disconnect();
  }, [atEnd, scroller, list]);
  return { atEnd, onScroll };
}
