import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { isIssue, readSettings } from './settings.ts';
import { hasHooks, readHooks } from './settingsHooks.ts';

const one = { type: 'command', command: 'true' };

describe('readHooks', () => {
  it('takes the block of a file that has more in it than hooks, and points of other programs as they are', () => {
    const block = {
      PreToolUse: [{ matcher: 'Write|Edit', hooks: [{ ...one, timeout: 5, writes: ['notes/'] }] }],
      Stop: [{ hooks: [one] }],
    };
    expect(
      readHooks({ permissions: { deny: ['Read(.env)'] }, hooks: { ...block, Notification: 'anything' } }),
    ).toMatchObject(block);
    expect(readHooks({ permissions: {} })).toEqual({});
  });

  it.each<[string, Json, string]>([
    ['a point that nobody knows', { PreTool: [] }, 'hooks'],
    [
      'a kind of hook that we do not run',
      { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Well?' }] }] },
      'hooks.Stop.0.hooks.0.type',
    ],
    ['a blank command', { Stop: [{ hooks: [{ type: 'command', command: ' ' }] }] }, 'hooks.Stop.0.hooks.0.command'],
    ['a matcher that is no expression', { PreToolUse: [{ matcher: '(', hooks: [one] }] }, 'hooks.PreToolUse.0.matcher'],
    [
      'a time that is none',
      { PreToolUse: [{ hooks: [{ ...one, timeout: 0 }] }] },
      'hooks.PreToolUse.0.hooks.0.timeout',
    ],
    [
      'writes that say nothing',
      { PreToolUse: [{ hooks: [one, { ...one, writes: [] }] }] },
      'hooks.PreToolUse.0.hooks.1.writes',
    ],
    ['a list where a group should be', { PreToolUse: [one] }, 'hooks.PreToolUse.0.hooks'],
  ])('refuses the whole block for %s, and names its place', (_, hooks, key) => {
    expect(readHooks({ hooks })).toMatchObject({ kind: 'issue', key });
    expect(readSettings({ hooks })).toMatchObject({ kind: 'issue', key });
    const inWorkspace = readSettings({ workspaces: { '/w': { hooks } } });
    expect(inWorkspace).toMatchObject({ kind: 'issue', key: `workspaces./w.${key}` });
  });
});

it('settings have no hooks, and leave those of a workspace off, unless a person says otherwise', () => {
  const plain = readSettings({ workspaces: { '/w': {} } });
  if (isIssue(plain)) throw new Error(plain.message);
  expect(hasHooks(plain.hooks)).toBe(false);
  expect(plain.workspaces.get('/w')?.projectHooks ?? false).toBe(false);
  expect(readSettings({ workspaces: { '/w': { projectHooks: 'yes' } } })).toMatchObject({ kind: 'issue' });
});

it('hasHooks tells empty groups from hooks', () => {
  expect(hasHooks({ Stop: [], PreToolUse: [{ hooks: [] }] })).toBe(false);
  expect(hasHooks({ Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] })).toBe(true);
});
