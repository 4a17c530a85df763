import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type KeyboardEvent } from 'react';
import { useText } from '../../text/text.ts';
import type { Exact, ExactKind, Row } from './exactRows.ts';
import { VisibleLine } from './Visible.tsx';

export interface ExactTextProps {
  readonly exact: Exact;
  readonly kind: ExactKind;
  readonly label: string;
}

const ROW_PX = 19;
/** So many rows are all drawn, for a screen reader and for finding in the page; of longer texts only those in view. */
const DRAWN = 400;
const BEYOND = 30;

/** The whole of a text, with every character to be seen, in a box that scrolls by itself and by keys. */
export function ExactText({ exact: { rows, lines }, kind, label }: ExactTextProps) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed on
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: rows.length <= DRAWN ? DRAWN : BEYOND,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'End' && event.key !== 'Home') return;
    // Rows that were not drawn yet turn out higher than estimated, and the browser would stop short of the end.
    event.preventDefault();
    virtual.scrollToIndex(event.key === 'End' ? rows.length - 1 : 0, { align: event.key === 'End' ? 'end' : 'start' });
  };
  return (
    <div
      ref={box}
      className={`exact ${kind}`}
      role="group"
      aria-label={label}
      tabIndex={0}
      data-exact={kind}
      data-lines={lines}
      onKeyDown={onKeyDown}
    >
      <div className="exact-all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                className="exact-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowText row={row} kind={kind} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

const SIGNS: Readonly<Record<string, string>> = { '+': 'exact-added', '-': 'exact-removed', '@': 'exact-hunk' };

function RowText({ row, kind }: { readonly row: Row; readonly kind: ExactKind }) {
  const { approval } = useText();
  if (row.kind === 'blank') {
    const { from, to, signs } = row;
    return (
      <>
        <LineNumber text={kind === 'prose' ? '' : `${from}–${to}`} />
        <span className="exact-blank" data-from={from} data-to={to}>
          {approval.blankLines(to - from + 1, signs.join(' ').trim())}
        </span>
      </>
    );
  }
  const { line, part, parts, sign, text } = row;
  return (
    <>
      <LineNumber text={kind === 'prose' ? '' : part === 0 ? String(line) : '↪'} />
      <code className={`exact-line ${kind === 'diff' ? (SIGNS[sign] ?? '') : ''}`} data-from={line} data-parts={parts}>
        <VisibleLine text={text} />
      </code>
    </>
  );
}

/** Not part of the text: it is neither selected with it nor read out. */
function LineNumber({ text }: { readonly text: string }) {
  return (
    <span className="exact-number" aria-hidden>
      {text}
    </span>
  );
}
