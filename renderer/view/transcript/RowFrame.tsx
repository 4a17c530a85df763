import { MoreHorizontal } from 'lucide-react';
import { lazy, memo, Suspense } from 'react';
import { useLanguage, useText, type Language } from '../../text/text.ts';
import { timeOf } from '../../transcript/eventsOf.ts';
import { dateAndTime } from '../../transcript/times.ts';
import type { Row } from '../../transcript/row.ts';
import { AnswerRow } from './AnswerRow.tsx';
import { Card } from './card/Card.tsx';
import { FactRow } from './FactRow.tsx';
import { GapRow, PageRow, ReadOnlyRow } from './EdgeRows.tsx';
import { useRowActions } from './RowContext.ts';
import { SaidRow } from './SaidRow.tsx';
import { TurnRow } from './TurnRow.tsx';

const RawEvents = lazy(async () => ({ default: (await import('./RawEvents.tsx')).RawEvents }));

interface RowFrameProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly measure: (element: HTMLDivElement | null) => void;
  readonly open: boolean;
  readonly raw: boolean;
  /** It has the focus, or had it last. */
  readonly active: boolean;
}

/** A row in its place in the list, with its event's number in the margin. Drawn again only when one of these changes. */
export const RowFrame = memo(function RowFrame({ row, index, count, measure, open, raw, active }: RowFrameProps) {
  const { common } = useText();
  const language = useLanguage();
  const isOfLog = !isEdge(row);
  return (
    <div
      ref={measure}
      className={`t-row t-row-${row.kind}`}
      role="listitem"
      aria-setsize={count}
      aria-posinset={index + 1}
      tabIndex={-1}
      data-index={index}
      data-key={row.key}
      data-seq={row.seq}
      data-active={active || undefined}
    >
      <span className="t-row-seq" title={isOfLog ? wholeTime(row, language) : undefined}>
        {isOfLog && row.kind !== 'turn' && (
          // The line of a turn stands above the message that opened it, whose number is the lower one.
          <>
            <span className="heard">{common.event(row.seq)}</span>
            <span aria-hidden="true">{row.seq}</span>
          </>
        )}
      </span>
      <div className="t-row-main">
        <Content row={row} open={open} active={active} />
        {raw && (
          <Suspense fallback={null}>
            <RawEvents row={row} />
          </Suspense>
        )}
      </div>
      {isOfLog ? <MenuButton row={row} active={active} /> : <span />}
    </div>
  );
});

function Content({ row, open, active }: Pick<RowFrameProps, 'row' | 'open' | 'active'>) {
  switch (row.kind) {
    case 'turn':
      return <TurnRow row={row} />;
    case 'said':
      return <SaidRow row={row} />;
    case 'answer':
      return <AnswerRow row={row} />;
    case 'card':
      return <Card rowKey={row.key} call={row.call} open={open} active={active} />;
    case 'fact':
      return <FactRow fact={row.fact} active={active} />;
    case 'gap':
      return <GapRow row={row} />;
    case 'newer':
      return <PageRow kind="newer" />;
    case 'read-only':
      return <ReadOnlyRow row={row} />;
  }
}

// One element for all rows: there are many of them, and a glyph never changes.
const MORE = <MoreHorizontal size={14} aria-hidden />;

function MenuButton({ row, active }: Pick<RowFrameProps, 'row' | 'active'>) {
  const { transcript } = useText();
  const { openMenu } = useRowActions();
  return (
    <button
      type="button"
      className="button plain icon t-row-menu"
      aria-haspopup="menu"
      tabIndex={active ? 0 : -1}
      onClick={(event) => openMenu(row.key, event.currentTarget)}
    >
      {MORE}
      <span className="heard">{transcript.menu}</span>
    </button>
  );
}

function isEdge({ kind }: Row): boolean {
  return kind === 'newer' || kind === 'gap' || kind === 'read-only';
}

function wholeTime(row: Row, language: Language): string | undefined {
  const time = timeOf(row);
  return time === undefined ? undefined : dateAndTime(new Date(time), language);
}
