const FOCUSABLE = ':is(button, input, select, textarea):not(:disabled), [href], [tabindex]:not([tabindex="-1"])';
/** The title of a question: whoever comes in by keys begins there, never at a button. */
const HEADING = '[data-heading]';

/** Where a person was in each region when they left it by F6. */
const left = new WeakMap<HTMLElement, HTMLElement>();

/** F6: to the next part of the window, and back to where one was in it the last time. */
export function cycleRegion(step: 1 | -1): void {
  const regions = Array.from(document.querySelectorAll<HTMLElement>('[data-region]')).filter(isStop);
  if (regions.length === 0) return;
  const focused = document.activeElement;
  const here = focused?.closest<HTMLElement>('[data-region]') ?? undefined;
  if (here && focused instanceof HTMLElement) left.set(here, focused);
  const at = here ? regions.indexOf(here) : -1;
  const from = at < 0 && step < 0 ? 0 : at;
  const next = regions[(from + step + regions.length) % regions.length];
  if (next) enter(next);
}

function enter(region: HTMLElement): void {
  const before = left.get(region);
  const target = before?.isConnected && before.getClientRects().length > 0 ? before : firstIn(region);
  target.focus();
}

function firstIn(region: HTMLElement): HTMLElement {
  const first = region.querySelector<HTMLElement>(HEADING) ?? firstShown(region);
  if (!first) region.setAttribute('tabindex', '-1');
  return first ?? region;
}

function firstShown(region: HTMLElement): HTMLElement | undefined {
  return Array.from(region.querySelectorAll<HTMLElement>(FOCUSABLE)).find((each) => each.getClientRects().length > 0);
}

/** Where a place has parts of its own, they are the stops, and not the whole of it. */
function isStop(region: HTMLElement): boolean {
  return region.getClientRects().length > 0 && !region.querySelector('[data-region]');
}
