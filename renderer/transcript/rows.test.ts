import { describe, expect, it } from 'vitest';
import type { SessionDraft, SessionEvent } from '../../app/session/events.ts';
import {
  answer,
  asked,
  call,
  chunk,
  cleanupAsked,
  cleanupEnded,
  environmentEnded,
  environmentStarted,
  hookRan,
  id,
  jobEnded,
  jobStarted,
  log,
  nestedResult,
  nestedStart,
  result,
  said,
  standingOf,
  started,
  stepStart,
  turnStart,
} from './log.fixture.ts';
import { eventsOf } from './eventsOf.ts';
import type { Call, Row, RowOf, Standing } from './row.ts';
import { rowsOf } from './rows.ts';

function rows(drafts: readonly SessionDraft[], also: Partial<Standing> = {}): readonly Row[] {
  const events = log(drafts);
  return rowsOf(events, standingOf(events, also));
}

function kinds(all: readonly Row[]): readonly string[] {
  return all.map((row) => (row.kind === 'fact' ? row.fact.kind : row.kind));
}

function only<Kind extends Row['kind']>(all: readonly Row[], kind: Kind): RowOf<Kind> {
  const found = all.filter((row): row is RowOf<Kind> => row.kind === kind);
  expect(found).toHaveLength(1);
  return found[0] as RowOf<Kind>; // The line above.
}

function card(all: readonly Row[]): Call {
  return only(all, 'card').call;
}

const opened = [said('Do it'), turnStart(1, 0), stepStart(1, 1, 1)];

describe('what was said', () => {
  it('stands below the line of the turn that it opened', () => {
    expect(kinds(rows(opened))).toEqual(['turn', 'said']);
  });

  it('stays where it was said when it waited for another turn', () => {
    const all = rows([...opened, said('And this', true), answer('Yes.')]);
    expect(kinds(all)).toEqual(['turn', 'said', 'said', 'answer']);
    expect(all.map((row) => row.kind === 'said' && row.waits)).toEqual([false, false, true, false]);
  });

  it('waits no longer once a step has seen it', () => {
    const all = rows([...opened, said('And this', true), answer('Yes.'), stepStart(1, 2, 4)]);
    expect(all.filter((row) => row.kind === 'said' && row.waits)).toEqual([]);
  });
});

describe('an answer', () => {
  it('is one row while it is streamed, and has all parts of its step', () => {
    const row = only(rows([...opened, chunk('One '), said('Later', true), chunk('two')]), 'answer');
    expect(row).toMatchObject({ text: 'One two', streaming: true, seq: 3 });
  });

  it('keeps its key when the whole of it is there, and shows nothing twice', () => {
    const parts = rows([...opened, chunk('One '), said('Later', true), chunk('two')]);
    const whole = rows([...opened, chunk('One '), said('Later', true), chunk('two'), answer('One two.')]);
    expect(only(whole, 'answer')).toMatchObject({ key: only(parts, 'answer').key, text: 'One two.', streaming: false });
  });

  it('is not streamed any more when its turn has ended without the whole', () => {
    const end: SessionDraft = { type: 'turn/end', data: { turn: 1, reason: 'interrupted' } };
    expect(only(rows([...opened, chunk('One '), end]), 'answer')).toMatchObject({ text: 'One ', streaming: false });
  });

  it('is not streamed any more when the next step is', () => {
    const all = rows([...opened, chunk('One '), stepStart(1, 2), chunk('Two ', 1, 2)]);
    expect(all.flatMap((row) => (row.kind === 'answer' ? [row.streaming] : []))).toEqual([false, true]);
  });

  it('without a word has no row', () => {
    expect(kinds(rows([...opened, answer('')]))).toEqual(['turn', 'said']);
  });
});

describe('a card', () => {
  const proposed = [...opened, call('c1', 'bash', { command: 'ls' })];

  it('gathers the call, its start and its result', () => {
    const found = card(rows([...proposed, started('c1', 'bash'), result('c1', 'bash')]));
    expect(found).toMatchObject({
      callId: 'c1',
      phase: 'ended',
      asked: { seq: 3 },
      started: { seq: 4 },
      result: { seq: 5 },
    });
  });

  it('is proposed, running, and cancelling from the stop until the result', () => {
    const stopping: SessionDraft = { type: 'turn/stopping', data: { turn: 1, by: 'person' } };
    expect(card(rows(proposed)).phase).toBe('proposed');
    expect(card(rows([...proposed, started('c1', 'bash')])).phase).toBe('running');
    expect(card(rows([...proposed, started('c1', 'bash'), stopping])).phase).toBe('cancelling');
    expect(card(rows([...proposed, started('c1', 'bash'), stopping, result('c1', 'bash')])).phase).toBe('ended');
  });

  it('is cancelling when its Environment or its command is being ended, also after that has ended', () => {
    const running = [...opened, call('p', 'run_code', {}), environmentStarted('e1'), started('p', 'run_code', 'e1')];
    expect(card(rows([...running, cleanupAsked('k', 'e1')])).phase).toBe('cancelling');
    expect(card(rows([...running, cleanupAsked('k', 'e1'), cleanupEnded('k')])).phase).toBe('cancelling');
    expect(card(rows([...proposed, started('c1', 'bash'), cleanupAsked('k', 'c1')])).phase).toBe('cancelling');
  });

  it('waits for a person between question and answer', () => {
    const decided: SessionDraft = {
      type: 'approval/decided',
      data: { id: id.approval('a1'), outcome: 'allowed-once', by: 'person' },
    };
    const program = [...opened, call('p', 'run_code', {}), asked('a1', 'p')];
    expect(card(rows(program))).toMatchObject({ phase: 'waits-for-approval', question: { seq: 4 } });
    expect(card(rows([...program, decided]))).toMatchObject({ phase: 'proposed', decision: { seq: 5 } });
  });

  it('of a program names the cleanup that it waits for', () => {
    const all = rows([...opened, cleanupAsked('k', 'e1'), call('p', 'run_code', {})]);
    expect(card(all)).toMatchObject({ phase: 'waits-for-cleanup', cleanup: { cleanupId: 'k', id: 'e1' } });
    expect(card(rows([...opened, cleanupAsked('k', 'e1'), call('c', 'read', {})])).phase).toBe('proposed');
  });

  it('of a program waits for no job and no hook', () => {
    const asks = cleanupAsked('k', 'j') as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made by that fixture.
    for (const what of ['job', 'hook', 'command'] as const) {
      const of: SessionDraft = { ...asks, data: { ...asks.data, what } };
      expect(card(rows([...opened, of, call('p', 'run_code', {})])).phase).toBe('proposed');
    }
  });

  it('is not cancelling when a hook about it is ended', () => {
    const asks = cleanupAsked('k', 'c1') as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made by that fixture.
    const of: SessionDraft = { ...asks, data: { ...asks.data, what: 'hook' } };
    expect(card(rows([...proposed, started('c1', 'bash'), of])).phase).toBe('running');
  });

  it('without a result says so when its turn is over, and that it may be elsewhere when newer events are not here', () => {
    const end: SessionDraft = { type: 'turn/end', data: { turn: 1, reason: 'error' } };
    expect(card(rows([...proposed, end])).phase).toBe('left');
    expect(card(rows(proposed, { length: 900 })).phase).toBe('not-loaded');
  });

  it('of a program whose start is older than what is here is running, and has the calls that are here', () => {
    const calls = [nestedStart('p:7', 'p', 'read', {}), nestedResult('p:7', 'p', 'read')];
    expect(card(rows(calls, { turn: 1 }))).toMatchObject({ phase: 'running', nested: [{ phase: 'ended' }] });
  });

  it('of a program has its calls in order, each with its own result', () => {
    const all = rows([
      ...opened,
      call('p', 'run_code', { code: '1', title: 'One' }),
      started('p', 'run_code'),
      nestedStart('p:1', 'p', 'read', { path: 'a' }),
      nestedStart('p:2', 'p', 'bash', { command: 'ls' }),
      started('p:2', 'bash'),
      nestedResult('p:1', 'p', 'read'),
    ]);
    expect(card(all).nested.map(({ callId, phase }) => [callId, phase])).toEqual([
      ['p:1', 'ended'],
      ['p:2', 'running'],
    ]);
  });

  it('is made of what is here when its beginning is not', () => {
    const events = log([nestedResult('p:1', 'p', 'read'), started('q:4', 'bash'), result('r', 'edit')], 700);
    const all = rowsOf(events, standingOf(events));
    expect(kinds(all)).toEqual(['card', 'card', 'card']);
    const cards = all.flatMap((row) => (row.kind === 'card' ? [row] : []));
    expect(cards.map(({ key, call: { asked: first, nested } }) => [key, first, nested.length])).toEqual([
      ['c:p', undefined, 1],
      ['c:q', undefined, 1],
      ['c:r', undefined, 0],
    ]);
  });
});

describe('policy', () => {
  const preset: SessionDraft = { type: 'permission/preset', data: { preset: 'danger-full-access' } };
  const mode: SessionDraft = { type: 'sandbox/mode', data: { mode: 'danger-full-access', source: 'preset' } };
  const policy: SessionDraft = { type: 'approval/policy', data: { policy: 'never', source: 'preset' } };
  const before: SessionDraft[] = [
    { type: 'permission/preset', data: { preset: 'read-only', source: 'creation' } },
    { type: 'sandbox/mode', data: { mode: 'read-only', source: 'creation' } },
    { type: 'approval/policy', data: { policy: 'ask', source: 'creation' } },
  ];

  it('of one selection is one row, with what was in force before and what it ends', () => {
    const all = rows([...before, preset, mode, policy, cleanupAsked('k', 'e1', 4)]);
    expect(kinds(all)).toEqual(['policy', 'policy', 'cleanup-asked']);
    expect(all[1]).toMatchObject({
      seq: 3,
      fact: {
        preset: { seq: 3 },
        mode: { seq: 4 },
        policy: { seq: 5 },
        was: { preset: 'read-only', mode: 'read-only', policy: 'ask' },
        ending: [{ seq: 6 }],
      },
    });
  });

  it('that was set one by one has a row each', () => {
    const direct: SessionDraft = { type: 'sandbox/mode', data: { mode: 'read-only' } };
    expect(kinds(rows([direct, { type: 'approval/policy', data: { policy: 'never' } }]))).toEqual(['policy', 'policy']);
    expect(kinds(rows([preset, direct]))).toEqual(['policy', 'policy']);
    expect(kinds(rows([preset, mode, said('x'), policy]))).toEqual(['policy', 'said', 'policy']);
  });

  it('that was inherited is one row', () => {
    const from = { sessionId: id.session('s'), seq: 9 };
    const inherited: SessionDraft[] = [
      { type: 'sandbox/mode', data: { mode: 'read-only', source: 'delegation', from } },
      { type: 'approval/policy', data: { policy: 'ask', source: 'delegation', from } },
    ];
    expect(kinds(rows(inherited))).toEqual(['policy']);
  });

  it('does not guess what was in force before what is here', () => {
    const all = rows([preset, mode]);
    expect(all[0]).toMatchObject({ fact: { was: {} } });
  });
});

describe('endings', () => {
  it('are one row when the end of the Environment was confirmed right before', () => {
    const all = rows([
      environmentStarted('e1'),
      cleanupAsked('k', 'e1'),
      cleanupEnded('k'),
      environmentEnded('e1', 'k'),
    ]);
    expect(kinds(all)).toEqual(['environment-started', 'cleanup-asked', 'environment-ended']);
    expect(all[2]).toMatchObject({ seq: 3, fact: { started: { seq: 0 }, asked: { seq: 1 }, confirmed: { seq: 2 } } });
  });

  it('are two rows when something came between, or the cleanup failed', () => {
    const [one, two] = [cleanupEnded('k'), environmentEnded('e1', 'k')];
    expect(kinds(rows([one, said('x'), two]))).toEqual(['cleanup-ended', 'said', 'environment-ended']);
    const failed = rows([cleanupEnded('k', 'still alive'), two]);
    expect(kinds(failed)).toEqual(['cleanup-ended', 'environment-ended']);
    expect(failed[1]).not.toHaveProperty('fact.confirmed');
  });

  it('go on until the log says that nothing lives, also after a failed attempt', () => {
    const over = (drafts: SessionDraft[]) => rows(drafts)[0];
    expect(over([cleanupAsked('k', 'e1')])).toMatchObject({ fact: { over: false } });
    expect(over([cleanupAsked('k', 'e1'), cleanupEnded('k', 'alive')])).toMatchObject({ fact: { over: false } });
    expect(over([cleanupAsked('k', 'e1'), cleanupEnded('k')])).toMatchObject({ fact: { over: true } });
  });
});

describe('the job of a call', () => {
  const begun = [...opened, call('c1', 'job_start', {}), jobStarted('j1', 'c1'), result('c1', 'job_start')];
  const end: SessionDraft = { type: 'turn/end', data: { turn: 1, reason: 'completed' } };
  const ending = (): SessionDraft => {
    const asks = cleanupAsked('k', 'j1') as Extract<SessionDraft, { type: 'cleanup/asked' }>; // Made by that fixture.
    return { ...asks, data: { ...asks.data, what: 'job' } };
  };

  it('runs on after its call and its turn, and is being ended until the log has its end', () => {
    expect(card(rows([...begun, end])).job).toMatchObject({ jobId: 'j1', phase: 'running', started: { seq: 4 } });
    expect(card(rows([...begun, end, ending()])).job?.phase).toBe('ending');
    expect(card(rows([...begun, end, ending(), cleanupEnded('k')])).job?.phase).toBe('ending');
    const over = card(rows([...begun, end, ending(), cleanupEnded('k'), jobEnded('j1')]));
    expect(over.job).toMatchObject({ phase: 'ended', ended: { seq: 9 } });
  });

  it('is not said to run where the end may not be here, or the Session was opened again', () => {
    expect(card(rows(begun, { length: 900 })).job?.phase).toBe('not-loaded');
    expect(card(rows([...begun, { type: 'session/end-seed', data: {} }])).job?.phase).toBe('left');
  });

  it('is also the one that another call is about', () => {
    const all = rows([...begun, call('c2', 'job_kill', { jobId: 'j1' }), call('c3', 'job_kill', { jobId: 'j2' })]);
    const jobs = all.flatMap((row) => (row.kind === 'card' ? [row.call.job?.jobId] : []));
    expect(jobs).toEqual(['j1', 'j1', undefined]);
  });

  it('has a row for its start and one for its end, as a hook has one', () => {
    const ran = hookRan({ callId: id.call('c1') });
    const all = rows([...begun, jobEnded('j1'), ran]).filter((row) => row.kind === 'fact');
    expect(kinds(all)).toEqual(['job-started', 'job-ended', 'hook']);
    expect(all[1]).toMatchObject({ fact: { started: { seq: 4 } } });
    expect(all[2]).toMatchObject({ fact: { call: { seq: 3 } } });
  });
});

describe('what the model is told of the policy', () => {
  const told: SessionDraft = { type: 'context/policy', data: { text: 'Mode: read-only.' } };

  it('makes no row, and is among the events of its turn', () => {
    const all = rows([...opened, told, answer('Yes.'), told, answer('And?', 1, 2)]);
    expect(kinds(all)).toEqual(['turn', 'said', 'answer', 'answer']);
    expect(all.map((row) => eventsOf(row).map(({ seq }) => seq))).toEqual([[1, 3, 5], [0], [4], [6]]);
  });

  it('makes no row either where the beginning of its turn is not here', () => {
    expect(kinds(rows([told, answer('Yes.')]))).toEqual(['answer']);
  });
});

describe('other facts', () => {
  it('are a row each, in the order of the log', () => {
    const drafts: SessionDraft[] = [
      said('Do it'),
      turnStart(1, 0),
      asked('a1', 'unknown'),
      { type: 'approval/decided', data: { id: id.approval('a1'), outcome: 'rejected', by: 'person', note: 'No.' } },
      { type: 'session/title', data: { title: 'A title', by: 'agent' } },
      { type: 'session/notice', ignorable: true, data: { code: 'x', message: 'Careful' } },
      { type: 'sandbox/settings', data: { digest: 'd' } },
      { type: 'turn/stopping', data: { turn: 1, by: 'person' } },
      { type: 'turn/end', data: { turn: 1, reason: 'aborted', by: 'person' } },
      { type: 'session/end-seed', data: {} },
    ];
    const all = rows(drafts);
    expect(kinds(all)).toEqual([
      'turn',
      'said',
      'asked',
      'decided',
      'other',
      'other',
      'other',
      'stopping',
      'turn-end',
      'other',
    ]);
    expect(all[3]).toMatchObject({ fact: { asked: { seq: 2 } } });
    expect(all[7]).toMatchObject({ fact: { over: true } });
    expect(all[8]).toMatchObject({ fact: { start: { seq: 1 } } });
  });

  it('of a type that this program does not know are shown too', () => {
    const foreign = { type: 'room/new', ignorable: true, data: {} } as unknown as SessionDraft; // Of a later program.
    expect(kinds(rows([foreign]))).toEqual(['other']);
  });
});

describe('a damaged log', () => {
  const five = log([said('a'), said('b'), said('c'), said('d'), said('e')]);
  const without = (...seqs: number[]) => five.filter(({ seq }) => !seqs.includes(seq));
  const damaged = (line: number) => ({ readOnly: { reason: 'damaged', line } }) as const;

  it('has its gap in its place, with the line of the file', () => {
    const events = without(2);
    const all = rowsOf(events, standingOf(events, { gaps: [{ from: 2, to: 2 }], ...damaged(4) }));
    expect(kinds(all)).toEqual(['said', 'said', 'gap', 'said', 'said', 'read-only']);
    expect(all[2]).toMatchObject({ from: 2, to: 2, line: 4 });
  });

  it('has a gap also where the damaged line took no number, and at its end', () => {
    const all = rowsOf(five, standingOf(five, damaged(4)));
    expect(kinds(all).indexOf('gap')).toBe(2);
    expect(all[2]).toMatchObject({ from: 2, to: 1, line: 4 });
    expect(kinds(rowsOf(five, standingOf(five, damaged(7)))).slice(-2)).toEqual(['gap', 'read-only']);
  });

  it('draws no gap for a line that is not here, nor a line where another gap is', () => {
    const events = log([said('a'), said('b')], 100);
    expect(kinds(rowsOf(events, standingOf(events, damaged(4))))).toEqual(['said', 'said', 'read-only']);
    const gapped = rowsOf(
      without(1, 3),
      standingOf(without(1, 3), {
        gaps: [
          { from: 1, to: 1 },
          { from: 3, to: 3 },
        ],
        ...damaged(3),
      }),
    );
    expect(gapped.flatMap((row) => (row.kind === 'gap' ? [row.line] : []))).toEqual([3, undefined]);
  });
});

describe('identity', () => {
  const drafts = [
    ...opened,
    answer('Yes.'),
    call('c1', 'bash', { command: 'ls' }),
    call('p', 'run_code', { code: '1', title: 'One' }),
    started('p', 'run_code'),
    nestedStart('p:1', 'p', 'read', { path: 'a' }),
    nestedResult('p:1', 'p', 'read'),
    nestedStart('p:2', 'p', 'read', { path: 'b' }),
  ];
  const events = log(drafts);
  const first = rowsOf(events, standingOf(events));

  function after(more: readonly SessionDraft[]): readonly Row[] {
    const all = [...events, ...log(more, events.length)];
    return rowsOf(all, standingOf(all), first);
  }

  it('of every row stays when nothing has changed, also when the same events come anew', () => {
    expect(rowsOf(events, standingOf(events), first)).toBe(first);
    const copies = structuredClone(events) as readonly SessionEvent[]; // A copy has the type of what was copied.
    expect(rowsOf(copies, standingOf(copies), first)).toBe(first);
  });

  it('changes only for the row that an event is about', () => {
    const now = after([result('c1', 'bash')]);
    expect(now.map((row, index) => row === first[index])).toEqual([true, true, true, false, true]);
  });

  it('of a call stays when another call of the same program changes', () => {
    const now = after([nestedResult('p:2', 'p', 'read')]);
    const [before, later] = [first, now].map((all) => all.find((row) => row.key === 'c:p') as RowOf<'card'>);
    expect(later).not.toBe(before);
    expect(later?.call.nested[0]).toBe(before?.call.nested[0]);
    expect(later?.call.nested[1]).not.toBe(before?.call.nested[1]);
  });

  it('stays when older events come in front', () => {
    const tail = events.slice(3);
    const shown = rowsOf(tail, standingOf(events, { first: 3 }));
    const all = rowsOf(events, standingOf(events), shown);
    expect(all).toHaveLength(shown.length + 2);
    expect(all.slice(2).every((row, index) => row === shown[index])).toBe(true);
  });

  it('has one key for each row', () => {
    expect(new Set(first.map(({ key }) => key)).size).toBe(first.length);
  });
});
