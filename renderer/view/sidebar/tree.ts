import type { SessionId } from '../../../app/base/id.ts';
import type { SessionRow, SessionState } from '../../../app/session/view.ts';
import { lastOf } from '../header/names.ts';

/** One line of the list of Sessions, as it is drawn. */
export type Line = GroupLine | SessionLine;

interface Placed {
  /** Stable, whatever stands around it. */
  readonly key: string;
  /** From 1; a workspace is level 1. */
  readonly level: number;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Undefined where there is nothing beneath. */
  readonly expanded: boolean | undefined;
  /** Its own state, or the strongest of what it hides. */
  readonly state: SessionState;
}

export interface GroupLine extends Placed {
  readonly kind: 'group';
  readonly workspace: string;
  readonly name: string;
  /** Sessions in it, children included. */
  readonly size: number;
}

export interface SessionLine extends Placed {
  readonly kind: 'session';
  readonly row: SessionRow;
}

export interface TreeOptions {
  /** Only what has this in its title or folder, with the parents of it. */
  readonly query: string;
  /** Keys of what a person has closed. A search opens all. */
  readonly collapsed: ReadonlySet<string>;
}

/** Sessions by workspace, children beneath their parents, in the order a person reads them. */
export function linesOf(rows: ReadonlyMap<SessionId, SessionRow>, options: TreeOptions): readonly Line[] {
  const query = options.query.trim().toLocaleLowerCase();
  const collapsed = query === '' ? options.collapsed : NOTHING;
  const shown = query === '' ? rows : matching(rows, query);
  const { roots, children } = familiesOf(shown);
  const groups = groupsOf(roots);
  const names = namesOf(groups.map(([workspace]) => workspace));
  const lines: Line[] = [];
  for (const [at, [workspace, members]] of groups.entries()) {
    const key = groupKey(workspace);
    const expanded = !collapsed.has(key);
    const family = { children, collapsed };
    const beneath = linesBeneath(members, 2, family);
    const all = expanded && collapsed.size === 0 ? beneath : linesBeneath(members, 2, { children, collapsed: NOTHING });
    const line = { kind: 'group', key, level: 1, position: at + 1, siblings: groups.length, expanded } as const;
    const state = expanded ? 'idle' : strongest(all.map((one) => one.state));
    lines.push({ ...line, workspace, name: names.get(workspace) ?? workspace, size: all.length, state });
    if (expanded) lines.push(...beneath);
  }
  return lines;
}

export function sessionKey(sessionId: SessionId): string {
  return `session ${sessionId}`;
}

function groupKey(workspace: string): string {
  return `workspace ${workspace}`;
}

const NOTHING: ReadonlySet<string> = new Set();

interface Family {
  readonly children: ReadonlyMap<SessionId, readonly SessionRow[]>;
  readonly collapsed: ReadonlySet<string>;
}

function linesBeneath(rows: readonly SessionRow[], level: number, family: Family): readonly SessionLine[] {
  const lines: SessionLine[] = [];
  const ordered = rows.toSorted(byActivity);
  for (const [at, row] of ordered.entries()) {
    const key = sessionKey(row.sessionId);
    const children = family.children.get(row.sessionId) ?? [];
    const expanded = children.length === 0 ? undefined : !family.collapsed.has(key);
    const beneath = linesBeneath(children, level + 1, expanded === false ? { ...family, collapsed: NOTHING } : family);
    const state = expanded === false ? strongest([row.state, ...beneath.map((line) => line.state)]) : row.state;
    lines.push({ kind: 'session', key, level, position: at + 1, siblings: ordered.length, expanded, state, row });
    if (expanded) lines.push(...beneath);
  }
  return lines;
}

/** A child whose parent is not here stands by itself. */
function familiesOf(rows: ReadonlyMap<SessionId, SessionRow>) {
  const roots: SessionRow[] = [];
  const children = new Map<SessionId, SessionRow[]>();
  for (const row of rows.values()) {
    if (row.parent === undefined || !rows.has(row.parent)) roots.push(row);
    else children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  }
  return { roots, children };
}

/** What matches, and every parent of it: a child is found in its place. */
function matching(rows: ReadonlyMap<SessionId, SessionRow>, query: string): ReadonlyMap<SessionId, SessionRow> {
  const found = new Set<SessionId>();
  for (const { sessionId, title, workspace } of rows.values()) {
    if (!`${title}\n${workspace}`.toLocaleLowerCase().includes(query)) continue;
    for (let id: SessionId | undefined = sessionId; id !== undefined && !found.has(id); id = rows.get(id)?.parent)
      found.add(id);
  }
  return new Map(Array.from(rows).filter(([id]) => found.has(id)));
}

function groupsOf(roots: readonly SessionRow[]): readonly (readonly [string, readonly SessionRow[]])[] {
  const groups = new Map<string, SessionRow[]>();
  for (const row of roots) {
    const members = groups.get(row.workspace);
    if (members) members.push(row);
    else groups.set(row.workspace, [row]);
  }
  const first = (members: readonly SessionRow[]): SessionRow =>
    members.reduce((least, row) => (byActivity(row, least) < 0 ? row : least));
  return Array.from(groups)
    .map(([workspace, members]) => ({ workspace, members, first: first(members) }))
    .toSorted((one, other) => byActivity(one.first, other.first))
    .map(({ workspace, members }) => [workspace, members]);
}

/** The folder's own name; where two have the same, the one above it as well. */
function namesOf(workspaces: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const workspace of workspaces) count.set(lastOf(workspace), (count.get(lastOf(workspace)) ?? 0) + 1);
  return new Map(
    workspaces.map((workspace) => {
      const name = lastOf(workspace);
      const above = lastOf(workspace.slice(0, -name.length));
      return [workspace, (count.get(name) ?? 0) > 1 && above !== '' ? `${above}/${name}` : name];
    }),
  );
}

const STRENGTH: Readonly<Record<SessionState, number>> = { waiting: 3, running: 2, failed: 1, idle: 0 };

export function strongest(states: readonly SessionState[]): SessionState {
  return states.reduce<SessionState>((most, state) => (STRENGTH[state] > STRENGTH[most] ? state : most), 'idle');
}

/** What is at work comes first and keeps its place; then what was used last. */
function byActivity(one: SessionRow, other: SessionRow): number {
  const active = Number(isActive(other)) - Number(isActive(one));
  if (active !== 0) return active;
  if (!isActive(one) && one.updated !== other.updated) return other.updated - one.updated;
  return one.sessionId < other.sessionId ? -1 : 1;
}

function isActive({ state }: SessionRow): boolean {
  return state === 'waiting' || state === 'running';
}
