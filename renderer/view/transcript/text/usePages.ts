import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { request } from '../../../api.ts';
import {
  FIRST_PAGE,
  keptSource,
  localSource,
  nextPage,
  withPage,
  type Pages,
  type Piece,
  type Side,
  type TextSource,
} from '../../../transcript/pages.ts';
import { useRowActions } from '../RowContext.ts';

export interface PagedState {
  readonly pages: Pages;
  readonly hole: TextSource['hole'];
  readonly loading: boolean;
  readonly failed: string | undefined;
  /** One more page at that end. */
  readonly more: (side: Side) => void;
}

interface Shown {
  readonly source: TextSource;
  readonly pages: Pages;
  readonly loading: boolean;
  readonly failed: string | undefined;
}

/**
 * A long text, from the end that matters; what the log keeps beside itself is asked for a page at a time. Another text in
 * its place, such as one that has grown, begins anew.
 */
export function usePages(text: string | Text, side: Side): PagedState {
  const source = useSource(text);
  const [kept, setKept] = useState<Shown>();
  const begun = useMemo(() => begin(source, side), [source, side]);
  const shown = kept?.source === source ? kept : begun;
  const read = useCallback(
    async (page: Omit<Piece, 'text'>, at: Side): Promise<void> => {
      const change = (to: (before: Shown) => Partial<Shown>): void =>
        setKept((before) => {
          const now = before?.source === source ? before : begun;
          return { ...now, ...to(now) };
        });
      try {
        const piece = await source.read(page.from, page.to, at);
        change(({ pages }) => ({ pages: withPage(pages, piece, at), loading: false, failed: undefined }));
      } catch (fault) {
        change(() => ({ loading: false, failed: fault instanceof Error ? fault.message : String(fault) }));
      }
    },
    [source, begun],
  );
  const isMissing = begun.loading;
  useEffect(() => {
    if (isMissing) void read({ from: 0, to: Math.min(FIRST_PAGE, source.total) }, 'tail');
  }, [isMissing, read, source]);
  const more = (at: Side): void => {
    setKept({ ...shown, loading: true });
    void read(nextPage(shown.pages, at), at);
  };
  return { pages: shown.pages, hole: source.hole, loading: shown.loading, failed: shown.failed, more };
}

function begin(source: TextSource, side: Side): Shown {
  const piece = source.first(side, FIRST_PAGE);
  const pages = { pieces: piece ? [piece] : [], total: source.total };
  return { source, pages, loading: !piece && source.total > 0, failed: undefined };
}

function useSource(text: string | Text): TextSource {
  const { sessionId } = useRowActions();
  return useMemo(() => {
    if (typeof text === 'string') return localSource(text);
    const { blob } = text;
    if (blob === undefined) return localSource(text.text, text.dropped);
    return keptSource(text, async (from, bytes) => {
      const page = await request('text.read', { sessionId, blob, from, bytes });
      return { text: page.text, from: page.from, to: page.next ?? page.bytes };
    });
  }, [text, sessionId]);
}
