import { ChevronDown, ChevronRight } from 'lucide-react';
import { useConnection } from '../../store/connection.ts';
import { useText } from '../../text/text.ts';
import { shortPath } from '../header/names.ts';
import { StateMark } from './StateMark.tsx';
import type { GroupLine } from './tree.ts';

interface GroupItemProps {
  readonly line: GroupLine;
  readonly top: number;
  readonly focusable: boolean;
  readonly onAct: () => void;
}

/** A workspace. Closed, it says how many Sessions it hides and the strongest state of them. */
export function GroupItem({ line, top, focusable, onAct }: GroupItemProps) {
  const { common, shell } = useText();
  const home = useConnection((state) => state.host?.userHome);
  const { expanded, name, size, state, workspace } = line;
  const Arrow = expanded ? ChevronDown : ChevronRight;
  return (
    <div
      role="treeitem"
      className="line group"
      style={{ top }}
      data-key={line.key}
      data-state={expanded ? undefined : state}
      tabIndex={focusable ? 0 : -1}
      aria-level={line.level}
      aria-posinset={line.position}
      aria-setsize={line.siblings}
      aria-expanded={expanded}
      title={shortPath(workspace, home)}
      onClick={onAct}
    >
      <Arrow size={12} aria-hidden="true" />
      <span className="clip name">{name || shell.noFolder}</span>
      {!expanded && (
        <span className="group-hides">
          <StateMark state={state} />
          {common.states[state]} · {shell.hidden(size)}
        </span>
      )}
    </div>
  );
}
