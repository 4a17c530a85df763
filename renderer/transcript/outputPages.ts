import type { OutputPage } from '../../app/job/output.ts';

/** Drawn at once; what comes before them is let go. A page has 64 KiB. */
export const MOST_PAGES = 3;

/**
 * One more page of what a job has printed, behind those that are shown. The same page asked for twice stands there once,
 * and where nothing has been printed since, nothing that is shown goes for it.
 */
export function withOutput(pages: readonly OutputPage[], page: OutputPage): readonly OutputPage[] {
  const before = pages.filter(({ from }) => from < page.from);
  const last = before.at(-1);
  if (page.text !== '' || !last) return [...before, page].slice(-MOST_PAGES);
  return [...before.slice(0, -1), { ...last, last: page.last, dropped: page.dropped }];
}
