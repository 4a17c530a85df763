import { describe, expect, it } from 'vitest';
import type { SessionDraft } from './events.ts';
import { history } from './history.ts';
import { recoveryOf } from './recovery.ts';
import { committed } from './session.fixture.ts';
import * as talk from './talk.fixture.ts';
import { Verifier } from './verify.ts';
import { fold, NOTHING_SAID } from './view/fold.ts';

const opened = [talk.said('do it'), talk.turnStart(1, 0), talk.step(1, 1, 1)];

function recovered(drafts: readonly SessionDraft[]): readonly SessionDraft[] {
  return recoveryOf(committed(drafts).reduce(fold, NOTHING_SAID));
}

describe('recovery', () => {
  it('PER-12: a turn that was cut off before its model request ends interrupted, and its request can be rebuilt', () => {
    const log = [
      ...opened.slice(0, 2),
      { type: 'context/policy', data: { text: 'policy' } } as const,
      talk.step(1, 1, 2),
    ];
    expect(recovered(log)).toEqual([{ type: 'turn/end', data: { turn: 1, reason: 'interrupted' } }]);
    expect(history(committed([...log, ...recovered(log)]))).toEqual([
      { role: 'user', text: 'do it' },
      { role: 'context', text: 'policy' },
    ]);
  });

  it('PER-13: of a call that had started the outcome is unknown; of one that had not, nothing ran', () => {
    const log = [...opened, talk.answer('', 'c1', 'c2'), talk.call('c1'), talk.call('c2'), talk.begun('c1')];
    expect(recovered(log)).toMatchObject([
      { type: 'tool/result', data: { callId: 'c1', tool: 'bash', status: 'unknown', code: 'TOOL_OUTCOME_UNKNOWN' } },
      { type: 'tool/result', data: { callId: 'c2', tool: 'bash', status: 'refused', code: 'TOOL_NOT_STARTED' } },
      { type: 'turn/end', data: { reason: 'interrupted' } },
    ]);
  });

  it('answers nested calls before the call that made them', () => {
    const log = [...opened, talk.answer('', 'c1'), talk.call('c1'), talk.begun('c1'), talk.nested('c1:1', 'c1')];
    expect(recovered(log).slice(0, 2)).toMatchObject([
      {
        type: 'tool/nested-result',
        data: { callId: 'c1:1', code: 'TOOL_NOT_STARTED', rootCallId: 'c1', parentCallId: 'c1' },
      },
      { type: 'tool/result', data: { callId: 'c1', code: 'TOOL_OUTCOME_UNKNOWN' } },
    ]);
  });

  it('answers a call that the model made and that was not recorded any more', () => {
    const log = [...opened, talk.answer('', 'c1', 'c2'), talk.call('c1'), talk.result('c1')];
    expect(recovered(log)).toMatchObject([
      { type: 'tool/call', data: { callId: 'c2', turn: 1, step: 1 } },
      { type: 'tool/result', data: { callId: 'c2', code: 'TOOL_NOT_STARTED' } },
      { type: 'turn/end' },
    ]);
  });

  it('cancels open questions and ends what lived in the last process, also between two turns', () => {
    const jobs = [talk.job('j1', 'c1'), talk.job('j2', 'c1'), talk.jobEnd('j1')];
    const log = [talk.asked('a1', 'c1'), talk.environment('e1'), ...jobs, talk.cleanup('k1')];
    expect(recovered(log)).toEqual([
      { type: 'approval/decided', data: { id: 'a1', outcome: 'cancelled', by: 'system', reason: 'restarted' } },
      { type: 'environment/ended', data: { environmentId: 'e1', reason: 'restarted', exitCode: null, signal: null } },
      { type: 'job/ended', data: { jobId: 'j2', outcome: 'restarted', exitCode: null, signal: null } },
      { type: 'cleanup/ended', data: { cleanupId: 'k1', phase: 'released', attempts: 1 } },
    ]);
  });

  it('owes nothing to a log at rest, and nothing twice', () => {
    const broken = [...opened, talk.answer('', 'c1', 'c2'), talk.call('c1'), talk.begun('c1'), talk.environment('e1')];
    const rest = [...broken, ...recovered(broken)];
    expect(recovered(rest)).toEqual([]);
    const seed = [talk.asked('a1', 'c1'), talk.environment('e1'), talk.job('j1', 'c1')];
    expect(recovered([...seed, { type: 'session/end-seed', data: {} }])).toEqual([]);
  });

  it('leaves queued messages where they are: the next turn sees them', () => {
    const log = [...opened, talk.said('and this', true)];
    const state = committed([...log, ...recovered(log)]).reduce(fold, NOTHING_SAID);
    expect(state.queued).toEqual([3]);
  });

  it('makes a log whose meaning is whole, wherever the process was killed', () => {
    const whole = [
      ...opened,
      talk.answer('', 'c1', 'c2'),
      talk.call('c1'),
      talk.call('c2'),
      talk.asked('a1', 'c1'),
      talk.decided('a1', 'rejected'),
      talk.environment('e1'),
      talk.begun('c1', 'workspace-write', { environmentId: 'e1' }),
      talk.nested('c1:1', 'c1'),
      talk.begun('c1:1'),
      talk.job('j1', 'c1:1'),
      talk.job('j2', 'c1:1'),
      talk.jobEnd('j1'),
    ];
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const log = whole.slice(0, cut);
      const verifier = new Verifier();
      for (const event of committed([...log, ...recovered(log)])) verifier.feed(event);
      expect([cut, verifier.problems]).toEqual([cut, []]);
    }
  });
});
