import { lazy, Suspense, useMemo, useState } from 'react';
import type { OpenSession } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import type { Row } from '../../transcript/row.ts';
import { EndButton } from './EndButton.tsx';
import { RowContext } from './RowContext.ts';
import { RowList } from './RowList.tsx';
import { FindBar } from './find/FindBar.tsx';
import { useFind } from './find/useFind.ts';
import { useAtEnd } from './useAtEnd.ts';
import { useFocusedRow } from './useFocusedRow.ts';
import { useList } from './useList.ts';
import { useOlder } from './useOlder.ts';
import { useReveal } from './useReveal.ts';
import { useRowActionsOf } from './useRowActionsOf.ts';
import { useRows } from './useRows.ts';

const RowMenu = lazy(async () => ({ default: (await import('./RowMenu.tsx')).RowMenu }));

/** The rows in a list that only draws those in view, with what one can do with them. */
export function TranscriptList({ open }: { readonly open: OpenSession }) {
  const { transcript } = useText();
  const rows = useRows(open);
  const [active, setActive] = useState<string>();
  const virtual = useList(rows, { kept: active, hasOlder: open.first > 0 });
  const { scroller, list, goTo } = virtual;
  // Before anything asks which rows are in view: these are of a moment ago until then.
  const items = list.getVirtualItems();
  const { atEnd, onScroll } = useAtEnd(virtual, open.end === open.length);
  const { actions, opened, raw, menu, closeMenu, said } = useRowActionsOf(open, virtual);
  const find = useFind(rows, { goTo, scroller, opened, toggle: actions.toggle });
  const focused = useFocusedRow(rows, { list, goTo, scroller, active, setActive, actions });
  useOlder(rows, { list, open, atEnd, isSearched: find.query !== undefined });
  useReveal(rows, open, focused.focus);
  return (
    <section className="transcript" data-region="transcript" aria-label={transcript.label}>
      {find.query !== undefined && <FindBar find={find} hasOlder={open.first > 0} loadOlder={actions.loadOlder} />}
      <div
        ref={scroller}
        className="transcript-scroller"
        role="log"
        aria-live="off"
        aria-label={transcript.label}
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={focused.onKeyDown}
        onFocus={focused.onFocus}
      >
        <RowContext value={actions}>
          <RowList
            rows={rows}
            items={items}
            container={list.containerRef}
            measure={list.measureElement}
            opened={opened}
            raw={raw}
            active={active}
            hasOlder={open.first > 0}
          />
        </RowContext>
      </div>
      <Empty rows={rows} open={open} />
      {!atEnd && <EndButton rows={rows} open={open} list={list} />}
      <p className="transcript-said" role="status">
        {said}
      </p>
      {menu && (
        <Suspense fallback={null}>
          <RowMenu key={menu.key} menu={menu} actions={actions} isRaw={raw.has(menu.key)} onClose={closeMenu} />
        </Suspense>
      )}
    </section>
  );
}

/** Nobody has said anything yet. */
function Empty({ rows, open }: { readonly rows: readonly Row[]; readonly open: OpenSession }) {
  const { transcript } = useText();
  const isEmpty = useMemo(() => rows.every((row) => row.kind === 'fact' && row.fact.kind === 'policy'), [rows]);
  if (!isEmpty || open.readOnly) return null;
  return (
    <div className="empty transcript-empty">
      <p className="transcript-empty-title">{transcript.emptyTitle}</p>
      <p>{transcript.empty}</p>
    </div>
  );
}
