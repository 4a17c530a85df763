import { describe, expect, it } from 'vitest';
import type { SessionDraft, SessionEvent } from '../../app/session/events.ts';
import { answer, call, id, log, result, said, turnStart } from './log.fixture.ts';
import { reportOf } from './report.ts';

const end = (turn: number): SessionDraft => ({ type: 'turn/end', data: { turn, reason: 'completed' } });
const events = log([
  { type: 'sandbox/mode', data: { mode: 'read-only' } },
  said('One'),
  turnStart(1, 1),
  answer('First.'),
  end(1),
  said('Two'),
  turnStart(2, 5),
  call('c', 'bash', { command: 'ls' }, 2),
  result('c', 'bash'),
  end(2),
  said('Three'),
]);

function reported(of: readonly SessionEvent[], seq: number) {
  const host = { host: 'browser', version: '1.2.3', platform: 'linux' } as const;
  return JSON.parse(reportOf(of, { sessionId: id.session('s_1'), seq, host }).text) as {
    readonly events: readonly SessionEvent[];
    readonly [member: string]: unknown;
  };
}

describe('a bug report', () => {
  it('is JSON that says which program, which Session and which event', () => {
    expect(reported(events, 7)).toMatchObject({
      report: 'gatehouse',
      version: '1.2.3',
      host: 'browser',
      sessionId: 's_1',
      about: 7,
      leftOut: 0,
    });
  });

  it.each([
    [5, [5, 6, 7, 8, 9]],
    [7, [5, 6, 7, 8, 9]],
    [9, [5, 6, 7, 8, 9]],
    [3, [0, 1, 2, 3, 4]],
    [10, [10]],
  ])('about event %i has the events of its turn, from the message to the end', (seq, expected) => {
    expect(reported(events, seq).events.map((event) => event.seq)).toEqual(expected);
  });

  it('of a huge turn keeps what lies nearest, and says how much is missing', () => {
    const huge = log(Array.from({ length: 60 }, (_, index) => answer('x'.repeat(100_000), 1, index)));
    const report = reported(huge, 30);
    const seqs = report.events.map((event) => event.seq);
    expect(seqs).toContain(30);
    expect(report['leftOut']).toBe(60 - seqs.length);
    expect(seqs.length).toBeLessThan(30);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  });
});
