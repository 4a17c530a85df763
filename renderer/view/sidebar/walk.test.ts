import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../../app/base/id.ts';
import type { Line } from './tree.ts';
import { stepOf } from './walk.ts';

/** A workspace with a parent, its child, and one more Session. */
const LINES = [group('w'), session('parent', 2, true), session('child', 3), session('last', 2)];
const at = (key: string): number => LINES.findIndex((line) => line.key === key);

describe('keys in the list of Sessions', () => {
  it.each([
    ['ArrowDown', 'w', 'parent'],
    ['ArrowUp', 'parent', 'w'],
    ['End', 'w', 'last'],
    ['Home', 'last', 'w'],
    ['ArrowRight', 'parent', 'child'],
    ['ArrowLeft', 'child', 'parent'],
    ['ArrowLeft', 'last', 'w'],
  ])('%s goes from %s to %s', (pressed, from, to) => {
    expect(stepOf(pressed, LINES, at(from))).toEqual({ do: 'focus', key: to });
  });

  it('stays at the ends', () => {
    expect(stepOf('ArrowUp', LINES, 0)).toBeUndefined();
    expect(stepOf('ArrowDown', LINES, LINES.length - 1)).toBeUndefined();
  });

  it('closes what is open with ←, and opens what is closed with →', () => {
    expect(stepOf('ArrowLeft', LINES, at('parent'))).toEqual({ do: 'toggle', key: 'parent' });
    expect(stepOf('ArrowRight', [session('closed', 2, false)], 0)).toEqual({ do: 'toggle', key: 'closed' });
    expect(stepOf('ArrowRight', LINES, at('last'))).toBeUndefined();
  });

  it.each(['Enter', ' '])('%j opens a Session and folds a workspace', (pressed) => {
    expect(stepOf(pressed, LINES, at('last'))).toEqual({ do: 'open', line: LINES[at('last')] });
    expect(stepOf(pressed, LINES, at('w'))).toEqual({ do: 'toggle', key: 'w' });
  });

  it('leaves every other key alone', () => {
    expect(stepOf('a', LINES, 0)).toBeUndefined();
    expect(stepOf('Tab', LINES, 0)).toBeUndefined();
  });
});

function group(key: string): Line {
  const placed = { key, level: 1, position: 1, siblings: 1, expanded: true, state: 'idle' } as const;
  return { kind: 'group', ...placed, workspace: key, name: key, size: 1 };
}

function session(key: string, level: number, expanded?: boolean): Line {
  const sessionId = key as SessionId;
  const row = { sessionId, title: key, workspace: '/w', state: 'idle', preset: 'read-only', updated: 0 } as const;
  return { kind: 'session', key, level, position: 1, siblings: 1, expanded, state: 'idle', row };
}
