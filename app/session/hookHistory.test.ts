import { describe, expect, it } from 'vitest';
import type { CallId } from '../base/id.ts';
import type { HookEvent } from '../hook/events.ts';
import type { SessionDraft } from './events.ts';
import { history } from './history.ts';
import { committed } from './session.fixture.ts';
import * as talk from './talk.fixture.ts';
import { Verifier } from './verify.ts';

type Ran = HookEvent['data'];

function ran(on: Ran['on'], more: Partial<Ran> = {}): SessionDraft {
  return { type: 'hook/ran', data: { hook: 'check', on, exitCode: 0, signal: null, durationMs: 1, ...more } };
}

function shown(drafts: readonly SessionDraft[]): readonly string[] {
  return history(committed(drafts)).map(({ role, text }) => `${role}: ${typeof text === 'string' ? text : '…'}`);
}

describe('the model history', () => {
  it('has no message that a hook refused, nor what another hook had to say about it, whichever came first', () => {
    const about = { prompt: 0, context: 'It is Monday.' };
    const log = [
      talk.said('bad'),
      talk.turnStart(1, 0),
      ran('UserPromptSubmit', about),
      ran('UserPromptSubmit', { prompt: 0, decision: 'deny', reason: 'no' }),
      ran('UserPromptSubmit', about),
      talk.turnEnd(1),
      talk.said('good'),
      talk.turnStart(2, 6),
      ran('UserPromptSubmit', { prompt: 6, context: 'It is Tuesday.' }),
      talk.step(2, 1, 8),
      talk.answer('Hello.'),
    ];
    expect(shown(log)).toEqual(['user: good', 'context: A hook says: It is Tuesday.', 'assistant: Hello.']);
  });

  it('has what a hook of a turn said before the step that it was said for', () => {
    const log = [
      talk.said('go'),
      talk.turnStart(1, 0),
      ran('SessionStart', { context: 'The branch is main.' }),
      talk.step(1, 1, 2),
      talk.answer('Done.'),
      ran('Stop', { decision: 'deny', reason: 'run the tests', context: 'with npm' }),
      talk.step(1, 2, 5),
      talk.answer('They pass.'),
    ];
    expect(shown(log)).toEqual([
      'user: go',
      'context: A hook says: The branch is main.',
      'assistant: Done.',
      'context: A hook says: run the tests\nwith npm',
      'assistant: They pass.',
    ]);
  });

  it('has nothing between a call and its result: a hook of a call speaks in the result, a message waits', () => {
    const log = [
      talk.said('go'),
      talk.turnStart(1, 0),
      talk.step(1, 1, 1),
      talk.answer('', 'c1'),
      talk.call('c1'),
      ran('PreToolUse', { callId: 'c1' as CallId, context: 'careful' }),
      talk.said('and then?', true),
      talk.begun('c1'),
      talk.result('c1', { content: 'ran\n[hook check] careful' }),
      talk.step(1, 2, 8),
      talk.answer('Done.'),
    ];
    expect(shown(log)).toEqual([
      'user: go',
      'assistant: ',
      'tool: ran\n[hook check] careful',
      'user: and then?',
      'assistant: Done.',
    ]);
  });
});

it('verify finds a hook that ran for a call which is not open, and no other', () => {
  const problemsOf = (drafts: readonly SessionDraft[]) => {
    const verifier = new Verifier();
    for (const event of committed(drafts)) verifier.feed(event);
    return verifier.problems;
  };
  const log = [
    talk.said('go'),
    talk.turnStart(1, 0),
    ran('Stop'),
    talk.call('c1'),
    ran('PreToolUse', { callId: 'c1' as CallId }),
  ];
  const end = [talk.begun('c1'), talk.result('c1')];
  expect(problemsOf([...log, ...end, talk.turnEnd(1)])).toEqual([]);
  expect(problemsOf([...log, ...end, ran('PostToolUse', { callId: 'c1' as CallId })])).toMatchObject([
    { seq: 7, rule: 'hook' },
  ]);
});
