import { describe, expect, it } from 'vitest';
import { whole } from '../../../app/base/text.ts';
import type { SessionDraft } from '../../../app/session/events.ts';
import type { Receipt, Result } from '../../../app/tool/result.ts';
import { asked, call, id, jobEnded, jobStarted, nestedResult, nestedStart, result, started } from '../log.fixture.ts';
import { callOf, facts } from './card.fixture.ts';
import { sectionsOf, type Section } from './sections.ts';

function sections(...drafts: readonly SessionDraft[]): readonly Section[] {
  return sectionsOf(callOf(...drafts));
}

function labels(all: readonly Section[]): readonly string[] {
  return all.map((section) => ('label' in section ? section.label : section.kind));
}

const program = call('p', 'run_code', { code: 'one\ntwo', title: 'Two lines' });
const receipt: Receipt = {
  approvalId: id.approval('a'),
  mode: 'danger-full-access',
  exitCode: null,
  signal: 'SIGKILL',
  releasedBeforeReturn: true,
  standing: 'unchanged',
};

describe('a program', () => {
  it('shows its code, its calls, its log, what it displayed and its value', () => {
    const done = result('p', 'run_code', { logs: whole('said\n'), display: [{ a: 1 }, 'text'], value: 42 });
    const all = sections(program, nestedStart('p:1', 'p', 'read', {}), nestedResult('p:1', 'p', 'read'), done);
    expect(labels(all)).toEqual(['program', 'calls', 'logs', 'display', 'display', 'value']);
    expect(all[0]).toMatchObject({ text: 'one\ntwo', language: 'typescript' });
    expect(all[5]).toMatchObject({ text: '42', language: 'json' });
  });

  it('that failed shows what the agent was told, without the log again', () => {
    const failed: Partial<Result> = { status: 'failed', code: 'exception', logs: whole('said\n') };
    const all = sections(program, result('p', 'run_code', { ...failed, content: 'said\nTypeError: x' }));
    expect(labels(all)).toEqual(['program', 'logs', 'told']);
    expect(all[2]).toMatchObject({ text: 'TypeError: x' });
  });

  it('shows that variables are gone first, and the receipt of an approval last', () => {
    const all = sections(program, result('p', 'run_code', { value: null, lost: { reason: 'mode-changed' }, receipt }));
    expect(labels(all)).toEqual(['lost', 'program', 'value', 'receipt']);
  });

  it('that asked for more shows what, and what the agent says', () => {
    const escalate = { to: 'danger-full-access', justification: 'Because.' };
    const all = sections(call('p', 'run_code', { code: '1', title: 'One', escalate }));
    expect(all[1]).toEqual({ kind: 'escalation', to: 'danger-full-access', justification: 'Because.' });
  });

  it('that runs shows what it prints', () => {
    expect(labels(sections(program, started('p', 'run_code')))).toEqual(['program', 'live']);
  });
});

describe('a command', () => {
  const command = call('c', 'bash', { command: 'ls', cwd: 'src' });

  it('shows its output and what it left behind', () => {
    const all = sections(command, result('c', 'bash', { content: 'a\nb', facts: facts('a\nb', { left: 2 }) }));
    expect(labels(all)).toEqual(['command', 'folder', 'output', 'left']);
    expect(all[2]).toMatchObject({ text: { text: 'a\nb' } });
  });

  it('that met a limit shows what the agent was told of it, without the output again', () => {
    const met = { content: 'a\nb\nended: memory limit', facts: facts('a\nb\n', { limit: 'memory' }) } as const;
    const all = sections(command, result('c', 'bash', { status: 'failed', code: 'memory-limit', ...met }));
    expect(labels(all)).toEqual(['command', 'folder', 'output', 'told']);
    expect(all[3]).toMatchObject({ text: 'ended: memory limit' });
  });

  it('that could have read what was to be hidden shows that it was ended for it', () => {
    const met = {
      content: 'a\nb\nended: a hidden file',
      facts: facts('a\nb\n', { revealed: '/home/u/.aws' }),
    } as const;
    const all = sections(command, result('c', 'bash', { status: 'failed', ...met }));
    expect(all[3]).toMatchObject({ label: 'told', text: 'ended: a hidden file' });
  });

  it('that printed nothing shows what the agent was told', () => {
    const all = sections(command, result('c', 'bash', { content: 'exit code 0, no output', facts: facts('') }));
    expect(labels(all)).toEqual(['command', 'folder', 'told']);
  });

  it('that was denied says what, and that it could not be cleaned up', () => {
    const denied = [{ operation: 'write', path: '/etc/x', mode: 'read-only', certain: true }] as const;
    const done = result('c', 'bash', { facts: facts('x'), denied, cleanupError: 'process 7: still alive' });
    expect(labels(sections(command, done))).toEqual(['command', 'folder', 'output', 'denied', 'cleanup-error']);
  });

  it('whose text is kept beside the log shows it as it is there', () => {
    const long = { text: 'end', bytes: 100_000, dropped: 0, blob: 'b' };
    const all = sections(call('c', 'bash', { command: long }));
    expect(all).toMatchObject([{ label: 'command', text: long }]);
  });
});

describe('a file', () => {
  it('that was written shows its content in its language, and its digest', () => {
    const done = result('w', 'write', { value: { path: '/a.py', created: true, bytes: 1, sha256: 'abc' } });
    const all = sections(call('w', 'write', { path: 'a.py', content: 'x' }), done);
    expect(all).toEqual([
      { kind: 'code', label: 'content', text: 'x', language: 'python' },
      { kind: 'digest', sha256: 'abc' },
    ]);
  });

  it('that was edited shows the difference of the log; one that was not, what was asked for', () => {
    const edit = call('e', 'edit', { path: 'a', old: 'x', new: 'y' });
    const done = result('e', 'edit', { value: { diff: '@@ -1 +1 @@', sha256: 'abc' } });
    expect(sections(edit, done)).toEqual([
      { kind: 'diff', text: '@@ -1 +1 @@' },
      { kind: 'digest', sha256: 'abc' },
    ]);
    const failed = result('e', 'edit', { status: 'failed', code: 'not-found', content: 'No.' });
    expect(sections(edit, failed)).toEqual([
      { kind: 'edit', old: 'x', new: 'y' },
      { kind: 'output', label: 'told', text: 'No.' },
    ]);
  });

  it('that a person was asked about shows what that person was shown', () => {
    const question = asked('a', 'w') as Extract<SessionDraft, { type: 'approval/asked' }>; // Made by that fixture.
    const subject = { kind: 'file', path: '/a', exists: true, diff: whole('-x\n+y') } as const;
    const shown: SessionDraft = { ...question, data: { ...question.data, subject } };
    const all = sections(call('w', 'write', { path: '/a', content: 'y' }), shown);
    expect(all).toEqual([{ kind: 'diff', text: subject.diff }]);
  });

  it('that was read shows what came back', () => {
    const all = sections(call('r', 'read', { path: 'a.json' }), result('r', 'read', { content: '{}' }));
    expect(all).toEqual([{ kind: 'code', label: 'content', text: '{}', language: 'json' }]);
  });
});

describe('a job', () => {
  const input = { title: 'Serve', command: 'npm run dev', cwd: 'web', paths: ['dist'] };
  const begun = [
    call('c', 'job_start', input),
    jobStarted('j', 'c'),
    result('c', 'job_start', { content: 'Started.' }),
  ];

  it('shows its command, where it works, what it writes, and what it prints', () => {
    const all = sections(...begun);
    expect(labels(all)).toEqual(['command', 'folder', 'paths', 'job-output', 'live', 'told']);
    expect(all.slice(2, 4)).toEqual([
      { kind: 'paths', paths: ['dist'] },
      { kind: 'job-output', jobId: 'j', over: false },
    ]);
    expect(labels(sections(...begun, jobEnded('j')))).toEqual(['command', 'folder', 'paths', 'job-output', 'told']);
  });

  it('shows nothing that it prints where it never began', () => {
    const refused = result('c', 'job_start', { status: 'refused', code: 'denied', content: 'No.' });
    expect(labels(sections(call('c', 'job_start', { ...input, paths: [] }), refused))).toEqual([
      'command',
      'folder',
      'told',
    ]);
  });

  it('whose output was asked for shows it, and without any what the agent was told', () => {
    const page = (text: string) => ({ value: { text, from: 0, next: 2, ended: false }, content: `${text}[more]` });
    const asks = call('o', 'job_output', { jobId: 'j' });
    expect(sections(asks, result('o', 'job_output', page('hi')))).toEqual([
      { kind: 'output', label: 'output', text: 'hi' },
    ]);
    expect(labels(sections(asks, result('o', 'job_output', page(''))))).toEqual(['told']);
    expect(labels(sections(call('o', 'job_output', { jobId: 'j', from: 7 })))).toEqual(['input']);
    expect(labels(sections(call('l', 'job_list', {}), result('l', 'job_list', { content: 'No jobs.' })))).toEqual([
      'told',
    ]);
  });
});

describe('a call that was refused a Unix socket', () => {
  const hint = 'unix sockets are blocked in this workspace';

  it('says that a setting decides it', () => {
    const done = result('c', 'bash', { content: `nope\n${hint}`, facts: facts('nope') });
    expect(labels(sections(call('c', 'bash', { command: 'x' }), done))).toEqual(['command', 'output', 'sockets']);
    const failed = result('p', 'run_code', { status: 'failed', code: 'exception', content: `Error: EPERM\n${hint}` });
    expect(labels(sections(call('p', 'run_code', { code: '1', title: 'One' }), failed))).toEqual([
      'program',
      'told',
      'sockets',
    ]);
  });

  it('is not one that only speaks of it', () => {
    const done = result('c', 'bash', { content: `echo ${hint}`, facts: facts('x') });
    expect(labels(sections(call('c', 'bash', { command: 'x' }), done))).toEqual(['command', 'output']);
  });
});

describe('any other call', () => {
  it('shows its input and what the agent was told', () => {
    const refused = result('n', 'nope', { status: 'refused', code: 'unknown-tool', content: 'There is no tool.' });
    expect(labels(sections(call('n', 'nope', { x: 1 }), refused))).toEqual(['input', 'told']);
  });

  it('whose beginning is not here shows its result', () => {
    expect(labels(sections(result('c', 'bash', { facts: facts('x') })))).toEqual(['output']);
  });
});
