import { useMemo, useRef, useState } from 'react';
import { go, usePlace } from '../../store/place.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { useNow } from '../controls/useNow.ts';
import { GroupItem } from './GroupItem.tsx';
import { SessionItem } from './SessionItem.tsx';
import { linesOf, sessionKey, type Line } from './tree.ts';
import { useRoving } from './useRoving.ts';
import { stepOf } from './walk.ts';

/** All Sessions. Only the lines on screen are drawn, however many there are. */
export function SessionTree({ query }: { readonly query: string }) {
  const { shell } = useText();
  const rows = useSessions((state) => state.rows);
  const selected = usePlace(({ place }) => (place.kind === 'session' ? sessionKey(place.sessionId) : undefined));
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(rows, { query, collapsed }), [rows, query, collapsed]);
  const scroller = useRef<HTMLDivElement>(null);
  const { virtual, active, moveTo } = useRoving({ lines, selected, scroller });
  const now = useNow();

  const act = (line: Line): void => {
    if (line.kind === 'session') go({ kind: 'session', sessionId: line.row.sessionId });
    else toggle(line.key);
  };
  const toggle = (key: string): void => setCollapsed((before) => toggled(before, key));
  const hear = (event: React.KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = stepOf(event.key, lines, active);
    if (!step) return;
    event.preventDefault();
    if (step.do === 'focus') moveTo(step.key);
    else if (step.do === 'toggle') toggle(step.key);
    else act(step.line);
  };

  if (lines.length === 0) return <p className="side-none">{rows.size === 0 ? shell.noSessions : shell.noMatch}</p>;
  return (
    <div className="tree" ref={scroller} tabIndex={-1}>
      <div
        role="tree"
        aria-label={shell.sessions}
        className="tree-all"
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={hear}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          const props = {
            top: start,
            focusable: index === active,
            onAct: () => {
              moveTo(line.key);
              act(line);
            },
            onToggle: () => toggle(line.key),
          };
          return line.kind === 'group' ? (
            <GroupItem key={line.key} line={line} {...props} />
          ) : (
            <SessionItem key={line.key} line={line} selected={line.key === selected} now={now} {...props} />
          );
        })}
      </div>
    </div>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
