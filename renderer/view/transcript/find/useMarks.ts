import { useEffect, type RefObject } from 'react';

const NAME = 'transcript-find';
/** More marks than this on screen help nobody. */
const MOST = 500;

/** Marks what is looked for wherever it stands on screen, without touching what is drawn. */
export function useMarks(scroller: RefObject<HTMLDivElement | null>, query: string): void {
  useEffect(() => {
    const element = scroller.current;
    if (query === '' || !element || !('highlights' in CSS)) return undefined;
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      CSS.highlights.set(NAME, new Highlight(...rangesIn(element, query)));
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(mark);
    };
    const watch = new MutationObserver(later);
    watch.observe(element, { childList: true, subtree: true, characterData: true });
    later();
    return () => {
      watch.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [scroller, query]);
}

/** Within one text node each: a match that spans two is found in the list, and not marked. */
function rangesIn(element: HTMLElement, query: string): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      // In a few languages lower case is longer: then the place is not known.
      if (ranges.length >= MOST || text.length !== node.nodeValue?.length) return ranges;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + query.length);
      ranges.push(range);
    }
  }
  return ranges;
}
