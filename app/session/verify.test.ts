import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOfCall } from '../approval/boundCall.ts';
import type { ApprovalId, CallId, EnvironmentId, SessionId } from '../base/id.ts';
import type { JsonObject } from '../base/json.ts';
import type { Receipt } from '../tool/result.ts';
import type { SessionDraft } from './events.ts';
import { committed } from './session.fixture.ts';
import * as talk from './talk.fixture.ts';
import { Verifier, type Problem } from './verify.ts';

function problemsOf(drafts: readonly SessionDraft[]): readonly Problem[] {
  const verifier = new Verifier();
  for (const event of committed(drafts)) verifier.feed(event);
  return verifier.problems;
}

function receipt(approvalId: string, more: Partial<Receipt> = {}): { receipt: Receipt } {
  const given = {
    approvalId: approvalId as ApprovalId,
    mode: 'danger-full-access',
    releasedBeforeReturn: true,
  } as const;
  return { receipt: { ...given, exitCode: 0, signal: null, standing: 'none', ...more } };
}

function called(callId: string, { tool = 'bash', input = {} }: { tool?: string; input?: JsonObject }): SessionDraft {
  return { type: 'tool/call', data: { turn: 1, step: 1, callId: callId as CallId, tool, input } };
}

const danger = { approvalId: 'a1' };
const escalated = [
  talk.turnStart(1, 0),
  talk.call('c1'),
  talk.asked('a1', 'c1'),
  talk.decided('a1'),
  talk.begun('c1', 'danger-full-access', danger),
];

const inJob = [talk.call('c1'), talk.begun('c1'), talk.job('j1', 'c1')];

describe('verify', () => {
  it('finds nothing wrong with a call that was allowed once, proved it, and with ordinary ones', () => {
    const log = [
      ...escalated,
      talk.result('c1', receipt('a1')),
      talk.call('c2'),
      talk.begun('c2'),
      talk.result('c2'),
      talk.call('c3'),
      talk.result('c3', { status: 'refused', code: 'denied' }),
      talk.call('c4'),
      talk.begun('c4'),
      talk.job('j1', 'c4'),
      talk.job('j2', 'c4'),
      talk.result('c4'),
      talk.jobEnd('j1'),
      talk.turnEnd(1),
      // A job outlives its call and its turn, and one may be running still.
      talk.jobEnd('j2'),
    ];
    expect(problemsOf(log)).toEqual([]);
  });

  it.each<[string, string, number, readonly SessionDraft[]]>([
    ['a decision that nobody asked for', 'approval', 0, [talk.decided('a1')]],
    ['a second decision', 'approval', 2, [talk.asked('a1', 'c1'), talk.decided('a1'), talk.decided('a1', 'rejected')]],
    ['a second question of one id', 'approval', 1, [talk.asked('a1', 'c1'), talk.asked('a1', 'c1')]],
    ['a wider start without a question', 'escalation', 1, [talk.call('c1'), talk.begun('c1', 'danger-full-access')]],
    [
      'a wider start with a rejected question',
      'escalation',
      3,
      [
        talk.call('c1'),
        talk.asked('a1', 'c1'),
        talk.decided('a1', 'rejected'),
        talk.begun('c1', 'danger-full-access', danger),
      ],
    ],
    [
      'a wider start before the answer',
      'escalation',
      2,
      [talk.call('c1'), talk.asked('a1', 'c1'), talk.begun('c1', 'danger-full-access', danger)],
    ],
    [
      'a start with a question about another call',
      'escalation',
      3,
      [talk.call('c2'), talk.asked('a1', 'c1'), talk.decided('a1'), talk.begun('c2', 'danger-full-access', danger)],
    ],
    [
      'a start under another Mode than was allowed',
      'escalation',
      3,
      [
        talk.call('c1'),
        talk.asked('a1', 'c1', 'workspace-write'),
        talk.decided('a1'),
        talk.begun('c1', 'danger-full-access', danger),
      ],
    ],
    [
      'a start under another Mode than the one in force',
      'mode',
      2,
      [talk.mode('workspace-write'), talk.call('c1'), talk.begun('c1', 'read-only')],
    ],
    [
      'a start under the Mode of before a switch',
      'escalation',
      2,
      [talk.mode('read-only'), talk.call('c1'), talk.begun('c1', 'workspace-write')],
    ],
    [
      'a call in an environment of another Mode',
      'mode',
      2,
      [
        talk.environment('e1', 'read-only'),
        talk.call('c1'),
        talk.begun('c1', 'workspace-write', { environmentId: 'e1' }),
      ],
    ],
    ['an effect without a start', 'started', 1, [talk.call('c1'), talk.result('c1')]],
    ['a second start', 'started', 2, [talk.call('c1'), talk.begun('c1'), talk.begun('c1')]],
    ['a result of a call that was never made', 'call', 0, [talk.result('c1', { status: 'refused' })]],
    ['a second result', 'call', 3, [talk.call('c1'), talk.begun('c1'), talk.result('c1'), talk.result('c1')]],
    ['the end of a job that was never started', 'job', 0, [talk.jobEnd('j1')]],
    ['a second end of a job', 'job', 4, [...inJob, talk.jobEnd('j1'), talk.jobEnd('j1')]],
    ['a second start of a job', 'job', 3, [...inJob, talk.job('j1', 'c1')]],
    ['a job of a call that does not run', 'job', 1, [talk.call('c1'), talk.job('j1', 'c1')]],
    [
      'the end of a job of before the end of the seed',
      'job',
      4,
      [...inJob, { type: 'session/end-seed', data: {} }, talk.jobEnd('j1')],
    ],
    ['a call without a result when its turn ends', 'call', 2, [talk.turnStart(1, 0), talk.call('c1'), talk.turnEnd(1)]],
    ['a turn in a turn', 'turn', 1, [talk.turnStart(1, 0), talk.turnStart(2, 0)]],
    ['the end of a turn that is not open', 'turn', 0, [talk.turnEnd(1)]],
    ['an allowed call without a receipt', 'receipt', 5, [...escalated, talk.result('c1')]],
    [
      'a receipt of another Mode',
      'receipt',
      5,
      [...escalated, talk.result('c1', receipt('a1', { mode: 'read-only' }))],
    ],
    [
      'a receipt of a file that nobody was shown',
      'receipt',
      5,
      [...escalated, talk.result('c1', receipt('a1', { path: '/f' }))],
    ],
    ['a receipt of an unknown question', 'receipt', 5, [...escalated, talk.result('c1', receipt('a9'))]],
    [
      'a receipt of a call that asked nobody',
      'receipt',
      2,
      [talk.call('c1'), talk.begun('c1'), talk.result('c1', receipt('a9'))],
    ],
  ])('finds %s', (_name, rule, seq, log) => {
    expect(problemsOf(log)[0]).toMatchObject({ rule, seq });
  });

  it('finds the second use of one approval, by its start and by its receipt', () => {
    const again = [talk.call('c2'), talk.begun('c2', 'danger-full-access', danger), talk.result('c2', receipt('a1'))];
    const problems = problemsOf([...escalated, talk.result('c1', receipt('a1')), ...again]);
    expect(problems.map(({ seq, rule, message }) => [seq, rule, message.includes('call c1')])).toEqual([
      [7, 'escalation', true],
      [7, 'escalation', true],
      [8, 'receipt', true],
    ]);
  });

  it('lets a nested call run under the standing Mode only', () => {
    const inside = [...escalated, talk.nested('c1:1', 'c1')];
    expect(problemsOf([...inside, talk.begun('c1:1')])).toEqual([]);
    expect(problemsOf([...inside, talk.begun('c1:1', 'danger-full-access')])[0]?.rule).toBe('escalation');
  });

  describe('of a program that was allowed once', () => {
    const ran = { environmentId: 'e1' as EnvironmentId, pid: 7, startTime: '70' };
    const program = (retained = false) => [
      ...escalated.slice(0, -1),
      talk.environment('e1', 'danger-full-access', retained),
      talk.begun('c1', 'danger-full-access', { ...danger, environmentId: 'e1' }),
    ];
    const proved = (more: Partial<Receipt> = {}) => talk.result('c1', receipt('a1', { ...ran, ...more }));

    it('finds nothing wrong with the receipt of the process that ran and ended before it', () => {
      expect(problemsOf([...program(), talk.environmentEnd('e1'), proved()])).toEqual([]);
      expect(problemsOf([...program(), proved({ releasedBeforeReturn: false })])).toEqual([]);
    });

    it.each<[string, string, readonly SessionDraft[]]>([
      ['another process', 'receipt', [...program(), talk.environmentEnd('e1'), proved({ pid: 8 })]],
      ['another start of it', 'receipt', [...program(), talk.environmentEnd('e1'), proved({ startTime: '71' })]],
      ['another end', 'receipt', [...program(), talk.environmentEnd('e1'), proved({ exitCode: 1 })]],
      ['no environment', 'receipt', [...program(), talk.environmentEnd('e1'), talk.result('c1', receipt('a1'))]],
      ['a process that still lives', 'receipt', [...program(), proved(), talk.environmentEnd('e1')]],
      ['the standing process', 'escalation', [...program(true), talk.environmentEnd('e1'), proved()]],
      ['a Mode that was not in force any more', 'escalation', [talk.mode('read-only'), ...program()]],
    ])('finds %s', (_name, rule, log) => {
      expect(problemsOf(log)[0]).toMatchObject({ rule });
    });
  });

  it.each<[string, string, readonly SessionDraft[]]>([
    ['a question about another tool', 'approval', [called('c1', { tool: 'write' }), talk.asked('a1', 'c1')]],
    [
      'a question that shows another command',
      'approval',
      [called('c1', { input: { command: 'rm' } }), talk.asked('a1', 'c1')],
    ],
    ['a start as another tool', 'started', [called('c1', { tool: 'read' }), talk.begun('c1')]],
    ['a result of another tool', 'call', [called('c1', { tool: 'read' }), talk.result('c1', { status: 'refused' })]],
    [
      'a result before that of an earlier call',
      'call',
      [talk.call('c1'), talk.call('c2'), talk.result('c2', { status: 'refused' })],
    ],
    ['a call by what does not run', 'call', [talk.call('c1'), talk.nested('c1:1', 'c1')]],
    [
      'a program that is over before its call',
      'call',
      [talk.call('c1'), talk.begun('c1'), talk.nested('c1:1', 'c1'), talk.result('c1')],
    ],
  ])('finds %s', (_name, rule, log) => {
    expect(problemsOf(log)[0]).toMatchObject({ rule });
  });

  describe('beside a standing environment', () => {
    const unchanged = (between: readonly SessionDraft[], standing = [talk.environment('e9')]) => [
      ...standing,
      ...escalated,
      ...between,
      talk.result('c1', receipt('a1', { standing: 'unchanged' })),
    ];
    const gone = (reason: 'idle' | 'crash'): SessionDraft => {
      const { type, data } = talk.environmentEnd('e9') as SessionDraft & { type: 'environment/ended' };
      return { type, data: { ...data, reason } };
    };

    it('believes that it is unchanged when it neither came nor went, or went for the clock', () => {
      expect(problemsOf(unchanged([]))).toEqual([]);
      expect(problemsOf(unchanged([gone('idle')]))).toEqual([]);
      const stopped = talk.result('c1', { status: 'cancelled', ...receipt('a1', { standing: 'unchanged' }) });
      expect(problemsOf([talk.environment('e9'), ...escalated, gone('crash'), stopped])).toEqual([]);
    });

    it.each<[string, readonly SessionDraft[]]>([
      ['there was none', unchanged([], [])],
      ['it was started meanwhile', unchanged([talk.environment('e8')])],
      ['it died meanwhile', unchanged([gone('crash')])],
    ])('does not believe it when %s', (_name, log) => {
      expect(problemsOf(log)).toMatchObject([{ rule: 'receipt', seq: log.length - 1 }]);
    });
  });

  it('finds a receipt of a process that was there before its question, and of one that was not released', () => {
    const ran = { environmentId: 'e1' as EnvironmentId, pid: 7, startTime: '70' };
    const older = [
      talk.environment('e1', 'danger-full-access', false),
      ...escalated.slice(0, -1),
      talk.begun('c1', 'danger-full-access', { ...danger, environmentId: 'e1' }),
    ];
    const { type, data } = talk.environmentEnd('e1') as SessionDraft & { type: 'environment/ended' };
    const proved = talk.result('c1', receipt('a1', ran));
    expect(problemsOf([...older, { type, data }, proved])).toMatchObject([
      { rule: 'receipt', message: expect.stringContaining('older than its question') as string },
    ]);
    const [first, ...rest] = older;
    const inside = [...rest.slice(0, -1), first, rest.at(-1)].flatMap((draft) => draft ?? []);
    expect(problemsOf([...inside, { type, data: { ...data, reason: 'crash' } }, proved])).toMatchObject([
      { rule: 'receipt', message: expect.stringContaining('ended by crash') as string },
    ]);
  });

  describe('of whose log it knows', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    const header = { id: 's_1' as SessionId, workspace: '/w' };
    const bound = { sessionId: header.id, tool: 'bash', input: { command: 'true' }, cwd: '/w' };
    const to = 'danger-full-access' as const;
    const log = (subjectDigest: string) => {
      const { type, data } = talk.asked('a1', 'c1') as SessionDraft & { type: 'approval/asked' };
      return committed([talk.turnStart(1, 0), talk.call('c1'), { type, data: { ...data, subjectDigest } }]);
    };
    const problems = (subjectDigest: string, seedLength?: number) => {
      const verifier = new Verifier({ header: { ...header, ...(seedLength !== undefined && { seedLength }) }, digest });
      for (const event of log(subjectDigest)) verifier.feed(event);
      return verifier.problems;
    };

    it('has the digest of a question again from the call, its folder, its target and its Session', () => {
      expect(problems(digestOfCall({ ...bound, to }, digest))).toEqual([]);
    });

    it.each([
      ['other arguments', { ...bound, to, input: { command: 'true', cwd: '/' } }],
      ['another folder', { ...bound, to, cwd: '/' }],
      ['another target', { ...bound, to: 'workspace-write' as const }],
      ['another Session', { ...bound, to, sessionId: 's_2' as SessionId }],
      ['another tool', { ...bound, to, tool: 'run_code' }],
    ])('finds a question that is bound to %s', (_name, other) => {
      expect(problems(digestOfCall(other, digest))).toMatchObject([{ rule: 'approval', seq: 2 }]);
    });

    it('leaves the questions that a fork has of its parent to the comparison with that', () => {
      expect(problems('of the parent', 3)).toEqual([]);
      expect(problems('of the parent', 2)).toHaveLength(1);
    });
  });

  it('forgets what a dead lifetime left open', () => {
    const log = [
      talk.turnStart(1, 0),
      talk.call('c1'),
      { type: 'session/end-seed', data: {} } as const,
      talk.turnStart(1, 0),
    ];
    expect(problemsOf(log)).toEqual([]);
  });

  it('names the first event that is out of sequence and goes on', () => {
    const verifier = new Verifier();
    for (const event of committed([talk.said('a'), talk.said('b'), talk.said('c')]))
      if (event.seq !== 1) verifier.feed(event);
    expect(verifier.problems).toEqual([{ seq: 2, rule: 'sequence', message: 'Event 1 should come here' }]);
    expect(verifier.checked).toBe(2);
  });
});
