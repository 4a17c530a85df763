import type { VirtualItem } from '@tanstack/react-virtual';
import type { Row } from '../../transcript/row.ts';
import { PageRow } from './EdgeRows.tsx';
import { RowFrame } from './RowFrame.tsx';

interface RowListProps {
  readonly rows: readonly Row[];
  /** Those in view, and some around it. */
  readonly items: readonly VirtualItem[];
  readonly container: (element: HTMLElement | null) => void;
  readonly measure: (element: HTMLDivElement | null) => void;
  readonly opened: ReadonlySet<string>;
  readonly raw: ReadonlySet<string>;
  readonly active: string | undefined;
  /** The log goes on before the first row. */
  readonly hasOlder: boolean;
}

/** The rows that are drawn. Where each of them stands is written by the virtual list itself. */
export function RowList({ rows, items, container, measure, opened, raw, active, hasOlder }: RowListProps) {
  return (
    <div ref={container} className="transcript-rows" role="list">
      {hasOlder && (
        // No row of the list: what is read below it is kept in its place when the page comes.
        <div className="transcript-older" role="listitem">
          <PageRow kind="older" />
        </div>
      )}
      {items.map(({ index, key }) => {
        const row = rows[index];
        return (
          row && (
            <RowFrame
              key={key}
              row={row}
              index={index}
              count={rows.length}
              measure={measure}
              open={opened.has(row.key)}
              raw={raw.has(row.key)}
              active={row.key === active}
            />
          )
        );
      })}
    </div>
  );
}
