import { Fragment, memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { useText } from '../../../text/text.ts';
import { endOf, hasEarlier, hasLater, startOf, type Side } from '../../../transcript/pages.ts';
import { printed } from '../../../transcript/terminal.ts';
import { usePages, type PagedState } from './usePages.ts';

export interface PagedTextProps {
  readonly text: string | Text;
  /** The end that is shown first. */
  readonly side: Side;
  /** `output`: what a machine printed, in a box that scrolls by itself. `prose`: what somebody wrote. */
  readonly kind: 'output' | 'prose';
  readonly label?: string;
}

/** A text as it is, a page at a time. Never more of it is drawn than a few pages, however much is asked for. */
export function PagedText({ text, side, kind, label }: PagedTextProps) {
  const paged = usePages(text, side);
  const { pages, hole } = paged;
  const shown = pages.pieces.map(({ from, text: part }) => (
    <Fragment key={from}>
      {hole?.at === from && <Hole bytes={hole.bytes} />}
      <PieceText text={part} kind={kind} />
    </Fragment>
  ));
  return (
    <>
      {hasEarlier(pages) && <More paged={paged} side="head" first={side} />}
      {kind === 'prose' ? (
        <div className="t-prose">{shown}</div>
      ) : (
        <OutputBox label={label ?? ''} stuck={side === 'tail'} start={startOf(pages)}>
          {shown}
        </OutputBox>
      )}
      {hasLater(pages) && <More paged={paged} side="tail" first={side} />}
      {paged.failed !== undefined && <p role="status">{paged.failed}</p>}
    </>
  );
}

const PieceText = memo(function PieceText({ text, kind }: { readonly text: string } & Pick<PagedTextProps, 'kind'>) {
  const shown = useMemo(() => (kind === 'output' ? printed(text) : text), [text, kind]);
  // A page may end within a line.
  return <span>{shown}</span>;
});

interface OutputBoxProps {
  readonly label: string;
  /** It is at its end, and stays there until a person scrolls up. */
  readonly stuck: boolean;
  /** Where the text begins: when more comes in front, what is read stays where it is. */
  readonly start: number;
  readonly children: React.ReactNode;
}

/** A box for what a machine says, reachable and scrollable by keys. */
export function OutputBox({ label, stuck, start, children }: OutputBoxProps) {
  const box = useRef<HTMLPreElement>(null);
  const fromEnd = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !stuck) return;
    element.scrollTop = element.scrollHeight - element.clientHeight - fromEnd.current;
  }, [stuck, start, children]);
  const onScroll = (): void => {
    const element = box.current;
    if (element) fromEnd.current = element.scrollHeight - element.clientHeight - element.scrollTop;
  };
  return (
    <pre ref={box} className="t-output" tabIndex={0} role="group" aria-label={label} onScroll={onScroll}>
      {children}
    </pre>
  );
}

interface MoreProps {
  readonly paged: PagedState;
  readonly side: Side;
  /** The end that the text was first shown from. */
  readonly first: Side;
}

export function More({ paged, side, first }: MoreProps) {
  const { common, transcript } = useText();
  const { pages, loading } = paged;
  const word = side !== first ? transcript.showMore : side === 'head' ? transcript.showEarlier : transcript.showLater;
  return (
    <p className="t-more">
      <button type="button" className="link" disabled={loading} onClick={() => paged.more(side)}>
        {loading ? common.loading : word}
      </button>
      <span className="muted">{transcript.shownOf(sizeOf(endOf(pages) - startOf(pages)), sizeOf(pages.total))}</span>
    </p>
  );
}

/** Something was printed here that nothing has kept. */
function Hole({ bytes }: { readonly bytes: number }) {
  const { transcript } = useText();
  return <div className="t-hole">{transcript.dropped(bytes)}</div>;
}

const KIB = 1024;

function sizeOf(units: number): string {
  if (units < KIB) return `${units} B`;
  return units < KIB * KIB ? `${Math.round(units / KIB)} KiB` : `${(units / KIB / KIB).toFixed(1)} MiB`;
}
