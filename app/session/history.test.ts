import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from '../policy/events.ts';
import type { SessionDraft } from './events.ts';
import { history } from './history.ts';
import { recall } from './recall.ts';
import { committed } from './session.fixture.ts';
import { answer, call, mode, result, said, step, turnEnd, turnStart } from './talk.fixture.ts';

const context = (text: string): SessionDraft => ({ type: 'context/policy', data: { text } });
const policy = (to: ApprovalPolicy): SessionDraft => ({ type: 'approval/policy', data: { policy: to } });

const pinned = [mode('workspace-write'), policy('ask'), said('go'), turnStart(1, 2), context('one'), step(1, 1, 4)];
const switchedDuringCall = [
  ...pinned,
  answer('', 'c1'),
  call('c1'),
  mode('read-only'),
  policy('never'),
  result('c1', { content: 'cancelled' }),
];
const NOTICE =
  'The sandbox mode was changed from workspace-write to read-only.\nThe approval policy was changed from ask to never.';

function shown(drafts: readonly SessionDraft[]): readonly string[] {
  return history(committed(drafts)).map(({ role, text }) => `${role}: ${typeof text === 'string' ? text : '…'}`);
}

describe('a live switch', () => {
  it('is told to the next request with old and new value, behind the results that are owed, before the new context', () => {
    expect(shown([...switchedDuringCall, context('two'), step(1, 2, 11)])).toEqual([
      'user: go',
      'context: one',
      'assistant: ',
      'tool: cancelled',
      `context: ${NOTICE}`,
      'context: two',
    ]);
  });

  it('is told also when it was taken back before the next request, which needs no other context', () => {
    const log = [...pinned, answer('Hm.'), turnEnd(1), mode('read-only'), mode('workspace-write'), said('on')];
    expect(shown([...log, turnStart(2, 10)]).slice(3)).toEqual([
      'user: on',
      'context: The sandbox mode was changed from workspace-write to read-only.\n' +
        'The sandbox mode was changed from read-only to workspace-write.',
    ]);
  });

  it('is none before the model was told anything, nor when a value is set again', () => {
    expect(shown([mode('read-only'), ...pinned, mode('workspace-write'), policy('ask')])).toEqual([
      'user: go',
      'context: one',
    ]);
  });
});

it('a request only ever adds to the one before it: what was sent once stays as it was, byte for byte', () => {
  const log = committed([
    ...switchedDuringCall,
    context('two'),
    step(1, 2, 11),
    answer('So.'),
    turnEnd(1),
    mode('danger-full-access'),
    said('on'),
    turnStart(2, 16),
    context('three'),
    step(2, 1, 18),
    answer('Done.'),
  ]);
  const requests = log.flatMap((event) =>
    event.type === 'step/start' ? [history(log.slice(0, event.data.through + 1))] : [],
  );
  expect(requests).toHaveLength(3);
  for (const [index, request] of requests.entries()) {
    expect(history(log).slice(0, request.length)).toEqual(request);
    expect(request.length).toBeGreaterThan(requests[index - 1]?.length ?? 0);
  }
});

it('is the same when the log is read back in pieces, wherever they are cut', async () => {
  const talk = Array.from({ length: 400 }, () => [...switchedDuringCall, context('two'), step(1, 2, 11)]).flat();
  const log = committed(talk);
  for (const through of [0, 999, 1000, 1004, 1999, 2500, log.length - 1]) {
    const read = async (from: number, to: number) => log.slice(from, to);
    expect(await recall(read, through)).toEqual(history(log.slice(0, through + 1)));
  }
});
