import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../../app/base/id.ts';
import type { SessionRow } from '../../../app/session/view.ts';
import { linesOf, sessionKey, strongest, type Line } from './tree.ts';

describe('the list of Sessions', () => {
  it('groups by workspace and puts children beneath their parent', () => {
    const lines = draw([
      row('parent', { updated: 5 }),
      row('elsewhere', { workspace: '/w/site', updated: 9 }),
      row('child', { parent: 'parent', updated: 8 }),
      row('grandchild', { parent: 'child' }),
    ]);
    expect(lines).toEqual(['1 site', '2 elsewhere', '1 project', '2 parent', '3 child', '4 grandchild']);
  });

  it('puts what is at work before what was used last, and keeps its place while it works', () => {
    const rows = [
      row('b', { state: 'running', updated: 1 }),
      row('a', { state: 'waiting', updated: 2 }),
      row('idle', { updated: 99 }),
    ];
    const before = draw(rows);
    const after = draw(rows.map((one) => (one.sessionId === 'b' ? { ...one, updated: 50 } : one)));
    expect(before).toEqual(['1 project', '2 a', '2 b', '2 idle']);
    expect(after).toEqual(before);
  });

  it('shows the strongest hidden state on a closed parent and on a closed workspace', () => {
    const rows = [
      row('parent', { state: 'idle' }),
      row('child', { parent: 'parent', state: 'failed' }),
      row('grandchild', { parent: 'child', state: 'waiting' }),
    ];
    const [, parent] = linesOf(mapped(rows), { query: '', collapsed: new Set([key('parent')]) });
    expect(parent).toMatchObject({ expanded: false, state: 'waiting' });
    const [group, ...rest] = linesOf(mapped(rows), { query: '', collapsed: new Set(['workspace /w/project']) });
    expect(group).toMatchObject({ expanded: false, state: 'waiting', size: 3 });
    expect(rest).toEqual([]);
  });

  it('still counts what a closed parent hides when its workspace is closed too', () => {
    const rows = [row('parent'), row('child', { parent: 'parent', state: 'running' })];
    const collapsed = new Set([key('parent'), 'workspace /w/project']);
    expect(linesOf(mapped(rows), { query: '', collapsed })).toMatchObject([{ state: 'running', size: 2 }]);
  });

  it('tells an open parent by its own state alone', () => {
    const rows = [row('parent', { state: 'idle' }), row('child', { parent: 'parent', state: 'running' })];
    const [, parent] = linesOf(mapped(rows), { query: '', collapsed: new Set() });
    expect(parent).toMatchObject({ expanded: true, state: 'idle' });
  });

  it('finds by title and by folder, whatever the case, and shows a found child beneath its parents', () => {
    const rows = [
      row('Parser'),
      row('Review', { parent: 'Parser' }),
      row('Other'),
      row('Pages', { workspace: '/w/Website' }),
    ];
    expect(draw(rows, 'review')).toEqual(['1 project', '2 Parser', '3 Review']);
    expect(draw(rows, ' WEBSITE ')).toEqual(['1 Website', '2 Pages']);
    expect(draw(rows, 'nowhere')).toEqual([]);
  });

  it('opens everything while searching', () => {
    const rows = [row('Parser'), row('Review', { parent: 'Parser' })];
    const collapsed = new Set(['workspace /w/project', key('Parser')]);
    expect(linesOf(mapped(rows), { query: 'review', collapsed }).map(drawn)).toEqual([
      '1 project',
      '2 Parser',
      '3 Review',
    ]);
  });

  it('shows a child whose parent is not here', () => {
    expect(draw([row('orphan', { parent: 'gone' })])).toEqual(['1 project', '2 orphan']);
  });

  it('tells two folders of one name apart by the folder above', () => {
    const rows = [row('a', { workspace: '/x/app', updated: 2 }), row('b', { workspace: '/y/app', updated: 1 })];
    expect(draw(rows)).toEqual(['1 x/app', '2 a', '1 y/app', '2 b']);
  });

  it('numbers siblings, so that a screen reader knows of those that are not drawn', () => {
    const lines = linesOf(mapped([row('a', { updated: 2 }), row('b', { updated: 1 })]), {
      query: '',
      collapsed: new Set(),
    });
    expect(lines.map(({ position, siblings }) => [position, siblings])).toEqual([
      [1, 1],
      [1, 2],
      [2, 2],
    ]);
  });
});

it('waiting outranks running, that failed, and that idle', () => {
  expect(strongest(['idle', 'failed', 'running', 'waiting'])).toBe('waiting');
  expect(strongest(['idle', 'failed', 'running'])).toBe('running');
  expect(strongest(['idle', 'failed'])).toBe('failed');
  expect(strongest([])).toBe('idle');
});

type Wanted = Partial<Omit<SessionRow, 'parent'>> & { readonly parent?: string };

function row(name: string, wanted: Wanted = {}): SessionRow {
  const { parent, ...rest } = wanted;
  return {
    sessionId: name as SessionId,
    title: name,
    workspace: '/w/project',
    state: 'idle',
    preset: 'read-only',
    updated: 0,
    ...rest,
    ...(parent !== undefined && { parent: parent as SessionId }),
  };
}

function mapped(rows: readonly SessionRow[]): ReadonlyMap<SessionId, SessionRow> {
  return new Map(rows.map((one) => [one.sessionId, one]));
}

function key(name: string): string {
  return sessionKey(name as SessionId);
}

function draw(rows: readonly SessionRow[], query = ''): readonly string[] {
  return linesOf(mapped(rows), { query, collapsed: new Set() }).map(drawn);
}

function drawn(line: Line): string {
  return `${line.level} ${line.kind === 'group' ? line.name : line.row.title}`;
}
