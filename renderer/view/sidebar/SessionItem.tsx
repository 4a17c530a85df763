import { ChevronDown, ChevronRight } from 'lucide-react';
import type { SessionId } from '../../../app/base/id.ts';
import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { useApprovals, type Approvals } from '../../store/approvals.ts';
import { usePolicy } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { ago } from '../../text/time.ts';
import { StateMark } from './StateMark.tsx';
import { sublineOf } from './subline.ts';
import type { SessionLine } from './tree.ts';

interface SessionItemProps {
  readonly line: SessionLine;
  readonly selected: boolean;
  readonly now: number;
  readonly top: number;
  readonly focusable: boolean;
  readonly onAct: () => void;
  readonly onToggle: () => void;
}

/** A Session: what it is called, how it stands, and when it was last heard of. */
export function SessionItem({ line, selected, now, top, focusable, onAct, onToggle }: SessionItemProps) {
  const dictionary = useText();
  const { row, state, level, expanded } = line;
  return (
    <div
      role="treeitem"
      className={selected ? 'line session-line selected' : 'line session-line'}
      style={{ top, paddingInlineStart: 10 + STEP * (Math.min(level, DEEPEST) - 2) }}
      data-key={line.key}
      data-session={row.sessionId}
      data-state={state}
      tabIndex={focusable ? 0 : -1}
      aria-level={level}
      aria-posinset={line.position}
      aria-setsize={line.siblings}
      aria-expanded={expanded}
      aria-selected={selected}
      title={row.title}
      onClick={onAct}
    >
      <StateMark state={state} damaged={row.damaged === true} />
      <span className="clip name line-title">{row.title || dictionary.common.untitled}</span>
      <span className="line-when">{ago(row.updated, now, dictionary)}</span>
      <span className="line-sub">
        <Standing line={line} />
      </span>
      {expanded !== undefined && <Toggle expanded={expanded} onToggle={onToggle} />}
    </div>
  );
}

/** Deeper children keep this indent: the title must stay readable in a narrow list. */
const DEEPEST = 6;
const STEP = 14;

/** The line under the title. Closed, a parent also says the strongest state of what it hides. */
function Standing({ line: { row, state } }: Pick<SessionItemProps, 'line'>) {
  const dictionary = useText();
  const presets = usePolicy((store) => store.presets);
  const first = useApprovals((store) => firstOf(store, row.sessionId));
  const questions = useApprovals((store) => countOf(store, row.sessionId));
  const { text, preset } = sublineOf({ row, first, questions, presets }, dictionary);
  return (
    <>
      <span className="clip">
        {text}
        {state !== row.state && ` · ${dictionary.shell.beneath(dictionary.common.states[state])}`}
      </span>
      {preset && (
        <>
          {'\u00a0· '}
          <span className={preset.danger ? 'line-preset line-danger' : 'line-preset'}>{preset.label}</span>
        </>
      )}
    </>
  );
}

/** For the pointer; the keys ← and → of the line do the same. */
function Toggle({ expanded, onToggle }: { readonly expanded: boolean; readonly onToggle: () => void }) {
  const Arrow = expanded ? ChevronDown : ChevronRight;
  return (
    <span
      className="line-toggle"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Arrow size={14} aria-hidden="true" />
    </span>
  );
}

function firstOf({ asked }: Approvals, sessionId: SessionId): PendingApproval | undefined {
  for (const { kind, approval } of asked.values())
    if (kind !== 'ended' && approval.sessionId === sessionId) return approval;
  return undefined;
}

function countOf({ asked }: Approvals, sessionId: SessionId): number {
  let count = 0;
  for (const { kind, approval } of asked.values()) if (kind !== 'ended' && approval.sessionId === sessionId) count += 1;
  return count;
}
