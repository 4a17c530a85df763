import { useEffect, useState, type RefObject } from 'react';

/** How many lines of what is asked about are not in view, wherever they are hidden: in their box, or outside the window. */
export function useHiddenLines(root: RefObject<HTMLElement | null>): number {
  const [hidden, setHidden] = useState(0);
  useEffect(() => {
    const dialog = root.current;
    if (!dialog) return undefined;
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setHidden(hiddenLinesIn(dialog)));
    };
    const sizes = new ResizeObserver(look);
    // What comes and goes above a dialog moves it, and nothing scrolls or changes its size.
    const places = new IntersectionObserver(look, { threshold: STEPS });
    for (const each of [dialog, ...dialog.querySelectorAll('[data-exact], .exact-all')]) {
      sizes.observe(each);
      places.observe(each);
    }
    window.addEventListener('scroll', look, true);
    window.addEventListener('resize', look);
    look();
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      places.disconnect();
      window.removeEventListener('scroll', look, true);
      window.removeEventListener('resize', look);
    };
  }, [root]);
  return hidden;
}

const STEPS = Array.from({ length: 51 }, (_, at) => at / 50);

interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** Half a line may be cut off at an edge. */
const TOLERANCE = 9;

function hiddenLinesIn(dialog: HTMLElement): number {
  let hidden = 0;
  for (const box of dialog.querySelectorAll<HTMLElement>('[data-exact]:not([data-exact="prose"])')) {
    hidden += Number(box.dataset['lines']) - seenIn(box, clipOf(box));
  }
  return hidden;
}

/** What can be seen of a box: it may lie in a part of the dialog, or of the window, that is scrolled as well. */
function clipOf(box: HTMLElement): Span {
  const spans = [box, ...ancestorsOf(box)].map((element) => element.getBoundingClientRect());
  return {
    top: Math.max(0, ...spans.map(({ top }) => top)),
    bottom: Math.min(window.innerHeight, ...spans.map(({ bottom }) => bottom)),
  };
}

function ancestorsOf(box: HTMLElement): readonly Element[] {
  return ['.approval-body', '.page'].flatMap((selector) => box.closest(selector) ?? []);
}

/** A long line is drawn in parts, and is seen when all of them are. */
function seenIn(box: HTMLElement, clip: Span): number {
  let seen = 0;
  const partsSeen = new Map<string, number>();
  for (const row of box.querySelectorAll<HTMLElement>('[data-from]')) {
    if (!isIn(row.getBoundingClientRect(), clip)) continue;
    const { from = '', to = from, parts = '1' } = row.dataset;
    const known = (partsSeen.get(from) ?? 0) + 1;
    partsSeen.set(from, known);
    if (known === Number(parts)) seen += Number(to) - Number(from) + 1;
  }
  return seen;
}

function isIn({ top, bottom }: Span, clip: Span): boolean {
  if (clip.bottom - clip.top < TOLERANCE) return false;
  const fits = top >= clip.top - TOLERANCE && bottom <= clip.bottom + TOLERANCE;
  const fills = top <= clip.top + TOLERANCE && bottom >= clip.bottom - TOLERANCE;
  return fits || fills;
}
