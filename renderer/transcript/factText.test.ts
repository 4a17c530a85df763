import { describe, expect, it } from 'vitest';
import type { SessionDraft } from '../../app/session/events.ts';
import { en } from '../text/en.ts';
import { zh } from '../text/zh.ts';
import type { Dictionary } from '../text/text.ts';
import { partsOf } from './emphasis.ts';
import { factText } from './factText.ts';
import {
  asked,
  call,
  cleanupAsked,
  cleanupEnded,
  environmentEnded,
  environmentStarted,
  hookRan,
  id,
  jobEnded,
  jobStarted,
  log,
  said,
  standingOf,
  started,
  turnStart,
} from './log.fixture.ts';
import { rowsOf } from './rows.ts';
import type { FactText, Names } from './sentences.ts';

const names: Names = {
  preset: (name) => ({ 'read-only': 'Read only', 'danger-full-access': 'Full access' })[name] ?? name,
  session: (of) => (of === 'parent' ? 'Split the tokenizer' : undefined),
};

function factsOf(drafts: readonly SessionDraft[], dictionary: Dictionary = en): readonly FactText[] {
  const events = log(drafts);
  const rows = rowsOf(events, standingOf(events));
  return rows.flatMap((row) => (row.kind === 'fact' ? [factText(row.fact, dictionary, names)] : []));
}

function spoken({ text }: FactText): string {
  return partsOf(text)
    .map((part) => part.text)
    .join('');
}

function texts(...drafts: readonly SessionDraft[]): readonly string[] {
  return factsOf(drafts).map(spoken);
}

const decided = (data: object): SessionDraft =>
  ({ type: 'approval/decided', data: { id: id.approval('a'), ...data } }) as SessionDraft; // As the room would.

describe('policy', () => {
  const preset: SessionDraft = { type: 'permission/preset', data: { preset: 'read-only' } };

  it('is said with what was before, by whom, and what it ends', () => {
    const before: SessionDraft = {
      type: 'permission/preset',
      data: { preset: 'danger-full-access', source: 'creation' },
    };
    const mode: SessionDraft = { type: 'sandbox/mode', data: { mode: 'read-only', source: 'preset' } };
    expect(texts(before, preset, mode, cleanupAsked('k', 'e1', 2)).slice(0, 2)).toEqual([
      'Preset Full access at creation.',
      'Preset Full access → Read only by you. Stopping 1 process started under Workspace write.',
    ]);
  });

  it('that was set directly names Mode or approval policy', () => {
    expect(
      texts(
        { type: 'sandbox/mode', data: { mode: 'read-only' } },
        { type: 'approval/policy', data: { policy: 'never' } },
      ),
    ).toEqual(['Mode Read only by you.', 'Approval policy Never asks by you.']);
  });

  it('that was inherited names the parent', () => {
    const source = { source: 'delegation', from: { sessionId: id.session('parent'), seq: 3 } } as const;
    expect(
      texts(
        { type: 'sandbox/mode', data: { mode: 'read-only', ...source } },
        { type: 'approval/policy', data: { policy: 'ask', ...source } },
      ),
    ).toEqual(['Mode Read only, approval policy Asks inherited from Split the tokenizer.']);
  });
});

describe('approvals', () => {
  it('wait for a person until they are decided', () => {
    expect(factsOf([asked('a', 'c')])).toMatchObject([{ tag: 'waits for you' }]);
    const [question] = factsOf([asked('a', 'c'), decided({ outcome: 'rejected', by: 'person' })]);
    expect(question).not.toHaveProperty('tag');
    expect(question && spoken(question)).toBe('Program asks to run under Full access, once.');
  });

  it.each([
    [{ outcome: 'allowed-once', by: 'person' }, 'Allowed once by you.'],
    [{ outcome: 'rejected', by: 'person', note: 'Not there.' }, 'Denied by you. Note: “Not there.”'],
    [{ outcome: 'cancelled', by: 'system', reason: 'turn-ended' }, 'Approval withdrawn. The turn ended.'],
    [
      { outcome: 'cancelled', by: 'policy', reason: 'policy-never' },
      'Approval withdrawn. The approval policy became never.',
    ],
    [
      { outcome: 'unavailable', by: 'system', reason: 'no-answerer' },
      'Approval not possible. Nobody was there to answer.',
    ],
  ])('that ended say how: %j', (data, text) => {
    expect(texts(decided(data))).toEqual([text]);
  });
});

describe('endings', () => {
  const [environment, cleanup] = [environmentStarted('e_123456789'), cleanupAsked('k', 'e_123456789', 0)];

  it('are going on until the log says that they are over', () => {
    const open = factsOf([environment, cleanup])[1];
    expect(open).toMatchObject({ tag: 'cancelling', cause: 0 });
    expect(open && spoken(open)).toBe('Ending Environment e_123456 (pid 4711): the Mode changed.');
    expect(factsOf([environment, cleanup, cleanupEnded('k')])[1]).not.toHaveProperty('tag');
  });

  it('of an Environment are confirmed only by the event that says so', () => {
    const confirmed = texts(environment, cleanup, cleanupEnded('k'), environmentEnded('e_123456789', 'k'))[2];
    expect(confirmed).toBe(
      'Environment e_123456 ended: Mode changed. Confirmed by the system after 1.0 s. Its variables are gone.',
    );
    expect(texts(environment, environmentEnded('e_123456789'))[1]).toBe(
      'Environment e_123456 ended: Mode changed. Its variables are gone.',
    );
  });

  it('that failed say where, and why', () => {
    const [, failed] = factsOf([cleanup, cleanupEnded('k', 'still alive')]);
    expect(failed?.tone).toBe('danger');
    expect(failed && spoken(failed)).toBe('Could not end Environment e_123456 (pid 4711) (KILL sent): still alive');
  });

  it('of a command name the command', () => {
    const asks = cleanupAsked('k', 'c') as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made by that fixture.
    const of: SessionDraft = { ...asks, data: { ...asks.data, what: 'command' } };
    const all = texts(call('c', 'bash', { command: 'sleep 9\n' }), started('c', 'bash'), of, cleanupEnded('k'));
    expect(all[0]).toBe('Ending command “sleep 9” (pid 4711): the Mode changed.');
    expect(all[1]).toBe('Ended command “sleep 9” (pid 4711). Confirmed by the system after 1.0 s.');
  });
});

describe('jobs', () => {
  const job = jobStarted('j_123456789', 'c', { title: 'Dev server' });

  it('say what was started, as which process, and what it says that it writes', () => {
    expect(texts(job)).toEqual(['Started job “Dev server”, pid 4711.']);
    expect(texts(jobStarted('j', 'c', { paths: ['/project/dist', '/project/log'] }))[0]).toBe(
      'Started job “Serve”, pid 4711. It says that it writes /project/dist, /project/log.',
    );
  });

  it.each([
    [{}, 'exit 0', undefined],
    [{ exitCode: 3 }, 'exit 3', 'danger'],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'SIGSEGV', 'danger'],
    [{ outcome: 'stopped', exitCode: null, signal: 'SIGKILL' }, 'stopped', undefined],
    [{ outcome: 'mode-changed', exitCode: null, signal: 'SIGKILL' }, 'Mode changed', undefined],
    [{ outcome: 'memory-limit', exitCode: null, signal: 'SIGKILL' }, 'memory limit', 'danger'],
    [{ outcome: 'restarted', exitCode: null }, 'Gatehouse was restarted', undefined],
  ] as const)('that ended say how, for how long they ran and where they began: %j', (data, how, tone) => {
    const end = factsOf([job, said('x'), jobEnded('j_123456789', data)])[1];
    expect(end && spoken(end)).toBe(`Over: job “Dev server”, ${how}. It ran for 2.0 s.`);
    expect(end).toMatchObject({ cause: 0 });
    expect(end?.tone).toBe(tone);
  });

  it('whose beginning is not here are called by their id', () => {
    expect(texts(jobEnded('j_123456789'))).toEqual(['Over: job j_123456, exit 0.']);
  });

  it('that are being ended are called by their title', () => {
    const asks = cleanupAsked('k', 'j_123456789', 2) as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made so.
    const of: SessionDraft = { ...asks, data: { ...asks.data, what: 'job' } };
    expect(texts(job, of)[1]).toBe('Ending job “Dev server” (pid 4711): the Mode changed.');
    expect(texts(of)[0]).toBe('Ending job j_123456 (pid 4711): the Mode changed.');
  });
});

describe('hooks', () => {
  const bash = call('c', 'bash', { command: 'rm -r build\nls' });
  const of = { callId: id.call('c') };

  it('that deny say before what, and why', () => {
    const [row] = factsOf([bash, hookRan({ ...of, decision: 'deny', reason: 'Not \u202ethere.', exitCode: 2 })]);
    expect(row && spoken(row)).toBe(
      'Hook “./check.sh” (before a call), Command “rm -r build”: denied. Reason: “Not \u202ethere.” It took 20 ms.',
    );
    expect(row?.tone).toBe('danger');
  });

  it.each([
    [{ decision: 'ask', reason: 'Sure?' }, 'asks a person. Reason: “Sure?” It took 20 ms.'],
    [{ decision: 'allow' }, 'nothing against it. It took 20 ms.'],
    [{ exitCode: 0 }, 'decided nothing. It took 20 ms.'],
    [{ exitCode: 1, reason: 'It failed.' }, 'exit 1. Reason: “It failed.” It took 20 ms.'],
    [{ exitCode: null, signal: 'SIGKILL' }, 'SIGKILL. It took 20 ms.'],
    [{ exitCode: null, reason: 'cancelled' }, 'no answer. Reason: “cancelled” It took 20 ms.'],
    [{ context: 'Mind the gap.\nAnd more.' }, 'decided nothing. It tells the agent: “Mind the gap.” It took 20 ms.'],
  ] as const)('that decide otherwise say so: %j', (data, said) => {
    expect(texts(hookRan({ on: 'Stop', ...data }))).toEqual([`Hook “./check.sh” (at the end of the turn): ${said}`]);
  });

  it('that are being ended are told by the call that they are about, or by where they run', () => {
    const ending = (item: string): SessionDraft => {
      const asks = cleanupAsked('k', item) as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made so.
      return { ...asks, data: { ...asks.data, what: 'hook' } };
    };
    expect(texts(bash, ending('c'))).toEqual(['Ending hook, Command “rm -r build” (pid 4711): the Mode changed.']);
    expect(texts(ending('Stop'))).toEqual(['Ending hook (at the end of the turn) (pid 4711): the Mode changed.']);
  });

  it('cannot set their own weight', () => {
    const [row] = factsOf([hookRan({ decision: 'deny', reason: '\uE000bold\uE001', hook: '\uE000x' })]);
    expect(row && partsOf(row.text).filter((part) => part.strong)).toEqual([{ text: 'denied', strong: true }]);
  });
});

describe('turns', () => {
  const end = (data: object): readonly string[] =>
    texts(said('x'), turnStart(1, 0), { type: 'turn/end', data: { turn: 1, ...data } } as SessionDraft); // As the room would.

  it.each([
    [{ reason: 'completed' }, 'Turn 1 completed. It took 1.0 s.'],
    [{ reason: 'aborted', by: 'person' }, 'Turn 1 stopped by you. It took 1.0 s.'],
    [{ reason: 'blocked', message: 'The script is used up.' }, 'Turn 1 blocked. The script is used up. It took 1.0 s.'],
    [{ reason: 'error', message: 'Unreachable.' }, 'Turn 1 failed. Unreachable. It took 1.0 s.'],
    [{ reason: 'interrupted' }, 'Turn 1 interrupted: Gatehouse ended meanwhile. It took 1.0 s.'],
  ])('end as the log says: %j', (data, text) => {
    expect(end(data)).toEqual([text]);
  });

  it('are being stopped until they have ended', () => {
    const stopping: SessionDraft = { type: 'turn/stopping', data: { turn: 1, by: 'person' } };
    expect(factsOf([said('x'), turnStart(1, 0), stopping])).toMatchObject([{ tag: 'cancelling' }]);
    const over: SessionDraft = { type: 'turn/end', data: { turn: 1, reason: 'aborted', by: 'person' } };
    expect(factsOf([said('x'), turnStart(1, 0), stopping, over])[0]).not.toHaveProperty('tag');
  });
});

describe('everything else', () => {
  const drafts: readonly SessionDraft[] = [
    { type: 'session/title', data: { title: 'A \uE000b\uE001 c', by: 'agent' } },
    { type: 'session/notice', ignorable: true, data: { code: 'x', message: 'Careful.' } },
    { type: 'sandbox/settings', data: { digest: 'd' } },
    { type: 'session/end-seed', data: {} },
    {
      type: 'session/delegated',
      data: { callId: id.call('c'), childId: id.session('child'), title: 'Review', background: false },
    },
  ];

  it('has a line of its own', () => {
    expect(texts(...drafts)).toEqual([
      'Title A b c by the agent.',
      'Careful.',
      'The sandbox settings changed.',
      'Session opened again. Nothing that was open before this event still runs.',
      'Child Session Review started.',
    ]);
    expect(factsOf(drafts)[4]).toMatchObject({ child: 'child' });
  });

  it('is said in Chinese as well', () => {
    const chinese = factsOf(
      [...drafts, asked('a', 'c'), cleanupAsked('k', 'e1'), jobStarted('j', 'c'), jobEnded('j'), hookRan()],
      zh,
    ).map(spoken);
    expect(chinese).toHaveLength(10);
    expect(chinese.filter((text) => !/\p{Script=Han}/u.test(text))).toEqual(['Careful.']);
  });
});
