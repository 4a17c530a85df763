import { describe, expect, it } from 'vitest';
import type { ApprovalId, CallId, SessionId } from '../../../app/base/id.ts';
import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { DEFAULT_PRESETS } from '../../../app/policy/presetTable.ts';
import type { SessionRow } from '../../../app/session/view.ts';
import { en } from '../../text/en.ts';
import { sublineOf, type SublineParts } from './subline.ts';

describe('the line under a Session', () => {
  it('says what a waiting one asks for', () => {
    const first = question({ kind: 'program', code: '1', title: 't', cwd: '/w' });
    expect(text({ row: row({ state: 'waiting' }), first, questions: 1 })).toBe('waiting: one program, full access');
  });

  it('leaves out the Mode where the question is about none', () => {
    const first = { ...question({ kind: 'call', input: {} }), scope: { kind: 'once', from: 'read-only' } } as const;
    expect(text({ row: row({ state: 'waiting' }), first, questions: 1 })).toBe('waiting: one call');
  });

  it('counts several questions', () => {
    const first = question({ kind: 'command', command: 'ls', cwd: '/w' });
    expect(text({ row: row({ state: 'waiting' }), first, questions: 3 })).toBe('waiting: 3 questions');
  });

  it.each(['running', 'failed', 'idle', 'waiting'] as const)('says %s in that word', (state) => {
    expect(text({ row: row({ state }) })).toBe(state);
  });

  it('says of a damaged one that it is', () => {
    expect(text({ row: row({ damaged: true }) })).toBe('damaged, read only');
  });

  it('names the preset where it is full access, by its Mode and not by its name', () => {
    const presets = [
      { name: 'calm', sandbox: 'danger-full-access', approval: 'ask', label: 'Calm', description: '' },
    ] as const;
    const { preset } = sublineOf({ ...PARTS, presets, row: row({ preset: 'calm' }) }, en);
    expect(preset).toEqual({ label: 'Calm', danger: true });
  });

  it('names the preset of a child, and custom; that of others is in their header', () => {
    expect(sublineOf({ ...PARTS, row: row({ parent: 'p' as SessionId }) }, en).preset).toEqual({
      label: 'Read only',
      danger: false,
    });
    expect(sublineOf({ ...PARTS, row: row({ preset: 'custom' }) }, en).preset?.label).toBe('Custom');
    expect(sublineOf({ ...PARTS, row: row() }, en).preset).toBeUndefined();
  });
});

function row(wanted: Partial<SessionRow> = {}): SessionRow {
  return {
    sessionId: 's' as SessionId,
    title: 'T',
    workspace: '/w',
    state: 'idle',
    preset: 'read-only',
    updated: 0,
    ...wanted,
  };
}

const PARTS: SublineParts = { row: row(), first: undefined, questions: 0, presets: DEFAULT_PRESETS };

function text(parts: Partial<SublineParts>): string {
  return sublineOf({ ...PARTS, ...parts }, en).text;
}

function question(subject: PendingApproval['subject']): PendingApproval {
  return {
    approvalId: 'a' as ApprovalId,
    sessionId: 's' as SessionId,
    lineage: [],
    tool: 'run_code',
    callId: 'c' as CallId,
    subject,
    subjectDigest: '',
    rule: '',
    scope: { kind: 'once', from: 'read-only', to: 'danger-full-access' },
    asked: 0,
  };
}
