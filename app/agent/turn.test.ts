import { describe, expect, it } from 'vitest';
import { orAborted } from '../base/cancel.ts';
import { deferred } from '../base/deferred.ts';
import { settled, until } from '../base/waiting.fixture.ts';
import { StorageError } from '../log/journal.ts';
import { answers, callOf, END, heldCalls, ok, say, stage, type Model } from './turn.fixture.ts';

/** A model that says something and then nothing until its request is aborted. */
const silent: Model = async function* silent(_, signal) {
  yield say('Let me');
  await orAborted(new Promise(() => undefined), signal);
};

describe('a turn', () => {
  it('records prompt, turn, step, chunks, message, calls and results in this order, until nothing is owed', async () => {
    const { turns, journal, requests } = stage([
      answers(say('Wri'), say('ting.'), callOf('c1', 'write', { path: 'a' }), END),
      answers(say('Done.'), END),
    ]);
    const seq = await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(journal.events.map(({ type, data }) => [type, data])).toEqual([
      ['user/message', { text: 'Do it', origin: 'person', queued: false }],
      ['turn/start', { turn: 1, prompt: seq }],
      ['step/start', { turn: 1, step: 1, through: 1 }],
      ['assistant/chunk', { turn: 1, step: 1, text: 'Wri' }],
      ['assistant/chunk', { turn: 1, step: 1, text: 'ting.' }],
      [
        'assistant/message',
        { turn: 1, step: 1, text: 'Writing.', calls: [{ callId: 'c1', tool: 'write', input: { path: 'a' } }] },
      ],
      ['tool/call', { turn: 1, step: 1, callId: 'c1', tool: 'write', input: { path: 'a' } }],
      ['tool/result', { callId: 'c1', tool: 'write', status: 'ok', content: 'result of c1' }],
      ['step/start', { turn: 1, step: 2, through: 7 }],
      ['assistant/chunk', { turn: 1, step: 2, text: 'Done.' }],
      ['assistant/message', { turn: 1, step: 2, text: 'Done.', calls: [] }],
      ['turn/end', { turn: 1, reason: 'completed' }],
    ]);
    expect(requests.map(({ turn, step, through }) => [turn, step, through])).toEqual([
      [1, 1, 1],
      [1, 2, 7],
    ]);
    expect(journal.events.filter(({ ignorable }) => ignorable).map(({ type }) => type)).toEqual(
      Array.from({ length: 3 }, () => 'assistant/chunk'),
    );
  });

  it('adds the context that is due in the section of the step: the request sees it, and its events up to there alone', async () => {
    const due: (string | undefined)[] = ['read-only', undefined];
    const asked: number[] = [];
    const { turns, journal, requests } = stage([answers(callOf('c1', 'read'), END), answers(END)], {
      contextDue: () => due.shift(),
      history: (through) => void asked.push(through),
    });
    await turns.prompt('Do it', 'person');
    await turns.idle();
    const at = journal.events.findIndex(({ type }) => type === 'context/policy');
    expect(journal.events.slice(at, at + 2)).toMatchObject([
      { type: 'context/policy', data: { text: 'read-only' } },
      { type: 'step/start', data: { step: 1, through: at } },
    ]);
    expect(journal.events.filter(({ type }) => type === 'context/policy')).toHaveLength(1);
    // Whatever is appended while the model answers is none of this request's business.
    journal.append({ type: 'session/notice', data: { code: 'later', message: 'later' } });
    for (const request of requests) await request.history();
    expect(asked).toEqual(requests.map(({ through }) => through));
  });

  it('has its cause on disk before the model is asked', async () => {
    const durable: number[] = [];
    const { turns, journal } = stage([
      async function* asks() {
        durable.push(journal.durable);
        yield END;
      },
    ]);
    await turns.prompt('Do it', 'person');
    await turns.idle();
    expect(durable).toEqual([3]);
  });

  it('asks nobody, and ends with an error, when its cause cannot be stored', async () => {
    const { turns, journal, requests, of } = stage([answers(END)]);
    const heal = journal.failFlush();
    await expect(turns.prompt('Do it', 'person')).rejects.toThrow(StorageError);
    expect(await turns.idle()).toBe('error');
    expect(requests).toEqual([]);
    expect(of('turn/end')).toEqual([
      { turn: 1, reason: 'error', message: 'The log could not be written: The disk is full' },
    ]);
    heal();
    await turns.prompt('Again', 'person');
    expect(await turns.idle()).toBe('completed');
  });

  it('ends with an error when the model fails, and the next prompt goes on', async () => {
    const { turns, of, faults, seen } = stage([
      async function* fails() {
        yield say('I');
        throw new Error('429');
      },
    ]);
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('error');
    expect(of('turn/end')).toEqual([{ turn: 1, reason: 'error', message: '429' }]);
    expect(of('assistant/message')).toEqual([]);
    expect([faults, seen.runs, seen.runsEnded]).toEqual([[new Error('429')], 1, 1]);
    await turns.prompt('Again', 'person');
    expect(await turns.idle()).toBe('completed');
  });

  it('ends with an error when the stream ends without saying so', async () => {
    const { turns, of } = stage([answers(say('Half'))]);
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('error');
    expect(of('assistant/message')).toEqual([]);
  });

  it.each(['blocked', 'max-tokens'] as const)(
    'ends as %s when the model says so, and runs none of its calls',
    async (reason) => {
      const dispatched: string[] = [];
      const dispatch = async (call: Parameters<typeof ok>[0]) => (dispatched.push(call.callId), ok(call));
      const { turns, of } = stage(
        [answers(say('Too'), callOf('c1', 'write'), { kind: 'end', reason, message: 'No more.' })],
        { dispatch },
      );
      await turns.prompt('Do it', 'person');
      expect(await turns.idle()).toBe(reason);
      expect(of('turn/end')).toEqual([{ turn: 1, reason, message: 'No more.' }]);
      // A call that the model was shown to have made would be owed a result for ever.
      expect([of('assistant/message'), of('tool/call'), dispatched]).toEqual([
        [{ turn: 1, step: 1, text: 'Too', calls: [] }],
        [],
        [],
      ]);
    },
  );

  it('records the usage that the model tells', async () => {
    const { turns, of } = stage([answers({ kind: 'end', reason: 'answered', usage: { inputTokens: 3 } })]);
    await turns.prompt('Do it', 'person');
    await turns.idle();
    expect(of('assistant/message')).toEqual([{ turn: 1, step: 1, text: '', calls: [], usage: { inputTokens: 3 } }]);
  });

  it('1-e: makes a character whole again that came in two halves, and does not die of half a one', async () => {
    const { turns, of } = stage([answers(say('a\ud83d'), say('\ude00b\ud83d'), END)]);
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('assistant/message')).toMatchObject([{ text: 'a😀b\ufffd' }]);
  });

  it('ends also when no run can be begun, once for each prompt', async () => {
    const { turns, of, faults } = stage([], {
      beginRun: () => {
        throw new Error('no lease');
      },
    });
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('error');
    expect(of('turn/start')).toHaveLength(1);
    expect(faults).toEqual([new Error('no lease')]);
  });

  it('is over, without an unhandled fault, when the log takes no more events', async () => {
    const { turns, journal, faults } = stage([
      async function* closes() {
        journal.close();
        yield END;
      },
    ]);
    await turns.prompt('Do it', 'person');
    await turns.idle();
    expect(turns.open).toBe(false);
    expect(faults).not.toEqual([]);
    await turns.close();
  });
});

describe('the calls of an answer', () => {
  it('get exactly one result each, in the order of the calls, also where a later one is done first', async () => {
    const held = heldCalls();
    const calls = ['a', 'b', 'c'].map((id) => callOf(id, 'look'));
    const { turns, of } = stage([answers(...calls, END)], held);
    await turns.prompt('Do it', 'person');
    await until(() => held.started.length === 3);
    held.end('c');
    held.end('b');
    await settled();
    expect(of('tool/result')).toEqual([]);
    held.end('a');
    await turns.idle();
    expect(of('tool/result').map(({ callId }) => callId)).toEqual(['a', 'b', 'c']);
  });

  it('are committed in their order although the first result takes longest to be made storable', async () => {
    const { turns, session, of } = stage([answers(callOf('a', 'look'), callOf('b', 'look'), END)]);
    const slow = deferred<void>();
    const { storable } = session;
    session.storable = async (value) => {
      if (JSON.stringify(value).includes('result of a')) await slow.promise;
      return await storable(value);
    };
    await turns.prompt('Do it', 'person');
    await until(() => of('tool/call').length === 2);
    await settled();
    slow.resolve();
    await turns.idle();
    expect(of('tool/result').map(({ callId }) => callId)).toEqual(['a', 'b']);
  });

  it('overlap while they read; one that writes runs alone', async () => {
    const held = heldCalls();
    const calls = [callOf('a', 'look'), callOf('b', 'look'), callOf('w', 'write'), callOf('c', 'look')];
    const { turns } = stage([answers(...calls, END)], held);
    await turns.prompt('Do it', 'person');
    await until(() => held.started.length === 2);
    await settled();
    expect(held.running()).toEqual(['a', 'b']);
    held.end('a');
    held.end('b');
    await until(() => held.started.length === 3);
    await settled();
    expect(held.running()).toEqual(['w']);
    held.end('w');
    await until(() => held.started.length === 4);
    held.end('c');
    expect(await turns.idle()).toBe('completed');
    expect(held.started).toEqual(['a', 'b', 'w', 'c']);
  });

  it('go on when one of them rejects: it gets a result too, and nothing outlives the turn', async () => {
    const dispatch = async (call: Parameters<typeof ok>[0]) => {
      if (call.callId === 'a') throw new Error('broken');
      await settled();
      return ok(call);
    };
    const { turns, of, faults } = stage([answers(callOf('a', 'look'), callOf('b', 'look'), END)], { dispatch });
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('tool/result')).toMatchObject([
      { callId: 'a', status: 'failed', code: 'exception' },
      { callId: 'b', status: 'ok' },
    ]);
    expect(faults).toEqual([new Error('broken')]);
  });

  it('have a result although it cannot be logged whole', async () => {
    const value = { cycle: {} };
    value.cycle = value;
    const dispatch = async (call: Parameters<typeof ok>[0]) => ({ ...ok(call), value: value as never });
    const { turns, of } = stage([answers(callOf('a', 'look'), END)], { dispatch });
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('tool/result')).toMatchObject([{ callId: 'a', status: 'ok' }]);
    expect(of('tool/result')[0]).not.toHaveProperty('value');
  });

  it('leave no message without its calls when they cannot be logged', async () => {
    const { turns, session, of } = stage([answers(callOf('a', 'look'), callOf('b', 'look'), END)]);
    const { storable } = session;
    session.storable = async (value) => {
      const said = JSON.stringify(value);
      if (said.includes('"b"') && !said.includes('calls')) throw new Error('no room');
      return await storable(value);
    };
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('error');
    expect([of('assistant/message'), of('tool/call')]).toEqual([[], []]);
  });

  it('get ids of their own where the driver repeats one, also across turns and restarts', async () => {
    const { turns, of } = stage(
      [
        answers(callOf('c', 'look'), callOf('c', 'look'), END),
        answers(callOf('c~2', 'look'), callOf('d', 'look'), END),
      ],
      { resumed: { callIds: new Map([['d', 4]]) } },
    );
    await turns.prompt('Do it', 'person');
    await turns.idle();
    expect(of('tool/call').map(({ callId }) => callId)).toEqual(['c', 'c~2', 'c~2~2', 'd~5']);
    expect(of('tool/result').map(({ callId }) => callId)).toEqual(['c', 'c~2', 'c~2~2', 'd~5']);
    expect(of('assistant/message')[0]?.calls.map(({ callId }) => callId)).toEqual(['c', 'c~2']);
  });

  it('never get an id twice when the driver chose `c~2` before it repeated `c`', async () => {
    const { turns, of } = stage([answers(callOf('c~2', 'look'), callOf('c', 'look'), callOf('c', 'look'), END)]);
    await turns.prompt('Do it', 'person');
    await turns.idle();
    expect(of('tool/call').map(({ callId }) => callId)).toEqual(['c~2', 'c', 'c~3']);
  });

  it('never get the id of a call that a program made, or could make', async () => {
    const said = answers(...['c', 'c:1', 'd:2', 'd', 'f.x:0', 'f.x'].map((id) => callOf(id, 'read')), END);
    const first = stage([said]);
    await first.turns.prompt('Go', 'person');
    await first.turns.idle();
    expect(first.of('tool/call').map(({ callId }) => callId)).toEqual(['c', 'c:1~2', 'd:2', 'd~2', 'f.x:0', 'f.x']);
    const callIds = new Map(['c', 'd:2'].map((id) => [id, 1]));
    const second = stage([answers(callOf('c:1', 'read'), callOf('d', 'read'), END)], { resumed: { callIds } });
    await second.turns.prompt('Go', 'person');
    await second.turns.idle();
    expect(second.of('tool/call').map(({ callId }) => callId)).toEqual(['c:1~2', 'd~2']);
  });

  it('1-e: mends arguments that no log can hold, and goes on', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 300; depth += 1) deep = [deep];
    const { turns, of } = stage([
      answers(callOf('c1', 'write', { 'k\ud800': ['a\ud800', -0] }), callOf('c2', 'write', deep as never), END),
      answers(END),
    ]);
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('tool/call').map(({ input }) => input)).toEqual([{ 'k\ufffd': ['a\ufffd', 0] }, null]);
    expect(of('tool/result')).toHaveLength(2);
  });

  it('get ids that the log takes whole, whatever the driver says', async () => {
    const ids = ['x'.repeat(70_000), 'x'.repeat(70_000), 'half \ud800'];
    const { turns, of } = stage([answers(...ids.map((id) => callOf(id, `\ud800${'t'.repeat(70_000)}`)), END)]);
    await turns.prompt('Go', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('tool/call').map(({ tool }) => [tool.isWellFormed(), tool.length])).toEqual(Array(3).fill([true, 257]));
    const [long, again, half] = of('tool/result').map(({ callId }) => callId);
    expect([long?.length, again, half]).toEqual([256, `${long}~2`, 'half \ufffd']);
  });
});

describe('a message during a turn', () => {
  it('is queued and enters before the next step', async () => {
    const held = heldCalls();
    const { turns, requests, of } = stage([answers(callOf('a', 'look'), END)], held);
    await turns.prompt('Do it', 'person');
    await until(() => held.started.length === 1);
    const seq = await turns.prompt('And that', 'person');
    held.end('a');
    expect(await turns.idle()).toBe('completed');
    expect(of('user/message').map(({ queued }) => queued)).toEqual([false, true]);
    expect(of('turn/start')).toHaveLength(1);
    expect(requests[1]?.through).toBeGreaterThan(seq);
  });

  it('that comes too late for it opens the next turn', async () => {
    const last = deferred<void>();
    const { turns, of, requests } = stage([
      async function* slow() {
        await last.promise;
        yield END;
      },
    ]);
    await turns.prompt('Do it', 'person');
    await until(() => requests.length === 1);
    const seq = await turns.prompt('And that', 'person');
    last.resolve();
    expect(await turns.idle()).toBe('completed');
    expect(of('turn/start')).toEqual([expect.objectContaining({ turn: 1 }), { turn: 2, prompt: seq }]);
    expect(of('turn/end').map(({ turn, reason }) => [turn, reason])).toEqual([
      [1, 'completed'],
      [2, 'completed'],
    ]);
  });
});

describe('Stop', () => {
  it('records that it stops and by whom, ends the turn as aborted, and asks the model nothing more', async () => {
    const held = heldCalls();
    const { turns, requests, journal, of } = stage([answers(callOf('a', 'look'), callOf('w', 'write'), END)], held);
    await turns.prompt('Do it', 'person');
    await until(() => held.started.length === 1);
    await turns.stop('person');
    expect(journal.durable).toBe(journal.events.length);
    expect(await turns.idle()).toBe('aborted');
    expect(journal.types().slice(-4)).toEqual(['turn/stopping', 'tool/result', 'tool/result', 'turn/end']);
    expect(of('tool/result')).toMatchObject([
      { callId: 'a', status: 'cancelled', code: 'stopped' },
      { callId: 'w', status: 'cancelled', code: 'stopped', content: 'Not started: the turn was stopped.' },
    ]);
    expect(held.started).toEqual(['a']);
    expect(of('turn/end')).toEqual([{ turn: 1, reason: 'aborted', by: 'person' }]);
    await settled();
    expect(requests).toHaveLength(1);
  });

  it('ends a request that streams, and keeps half an answer out of the history', async () => {
    const { turns, of } = stage([silent]);
    await turns.prompt('Do it', 'person');
    await until(() => of('assistant/chunk').length === 1);
    await turns.stop('parent');
    expect(await turns.idle()).toBe('aborted');
    expect([of('assistant/message'), of('turn/end')]).toEqual([[], [{ turn: 1, reason: 'aborted', by: 'parent' }]]);
  });

  it('gives every call its result, also when it comes between the answer and its calls', async () => {
    const { turns, session, of } = stage([answers(callOf('a', 'look'), END)]);
    const { storable } = session;
    session.storable = async (value) => {
      if (JSON.stringify(value).includes('calls')) await turns.stop('person');
      return await storable(value);
    };
    await turns.prompt('Do it', 'person');
    expect(await turns.idle()).toBe('aborted');
    expect([of('assistant/message').length, of('tool/call').length]).toEqual([1, 1]);
    expect(of('tool/result')).toMatchObject([{ callId: 'a', status: 'cancelled', code: 'stopped' }]);
  });

  it('is idempotent, and nothing is recorded without a turn', async () => {
    const { turns, journal, of } = stage([silent]);
    await turns.stop('person');
    expect(journal.events).toEqual([]);
    await turns.prompt('Do it', 'person');
    await Promise.all([turns.stop('person'), turns.stop('parent')]);
    await turns.idle();
    expect(of('turn/stopping')).toEqual([{ turn: 1, by: 'person' }]);
    const { length } = journal.events;
    await turns.stop('person');
    expect(journal.events).toHaveLength(length);
  });

  it('pauses the queue until the next prompt, which takes it along', async () => {
    const { turns, requests, of } = stage([silent]);
    await turns.prompt('Do it', 'person');
    await until(() => requests.length === 1);
    await turns.prompt('And that', 'person');
    await turns.stop('person');
    expect(await turns.idle()).toBe('aborted');
    await settled();
    expect(of('turn/start')).toHaveLength(1);

    const next = await turns.prompt('Go on', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(of('turn/start')).toEqual([expect.anything(), { turn: 2, prompt: next }]);
    expect([requests.length, of('turn/end').length]).toEqual([2, 2]);
  });

  it('4-f: takes a prompt that comes while it still stops as the next one', async () => {
    const held = deferred<void>();
    const { turns, requests, of } = stage([answers(callOf('a', 'look'), END)], {
      dispatch: async (call) => (await held.promise, ok(call)),
    });
    await turns.prompt('Do it', 'person');
    await until(() => of('tool/call').length === 1);
    await turns.prompt('Queued before', 'person');
    await turns.stop('person');
    const next = await turns.prompt('Go on', 'person');
    await turns.prompt('And on', 'person');
    held.resolve();
    expect(await turns.idle()).toBe('completed');
    expect(of('turn/start')).toEqual([expect.anything(), { turn: 2, prompt: next }]);
    expect(of('turn/end').map(({ reason }) => reason)).toEqual(['aborted', 'completed']);
    expect(requests).toHaveLength(2);
  });

  it('stops also when the log cannot say so', async () => {
    const { turns, journal, requests } = stage([silent]);
    await turns.prompt('Do it', 'person');
    await until(() => requests.length === 1);
    journal.guard(({ type }) => (type === 'turn/stopping' ? 'no' : undefined));
    await expect(turns.stop('person')).rejects.toThrow('no');
    expect(await turns.idle()).toBe('aborted');
  });
});

describe('idle and close', () => {
  it('is none before the first turn, and what the log says after a restart', async () => {
    expect(await stage([]).turns.idle()).toBe('none');
    expect(await stage([], { resumed: { lastEnd: 'interrupted', turns: 3 } }).turns.idle()).toBe('interrupted');
  });

  it('goes on counting turns after a restart, and leaves the old queue alone until the next prompt', async () => {
    const { turns, journal, of } = stage([], { resumed: { turns: 3, queued: [0] } });
    await settled();
    expect(journal.events).toEqual([]);
    await turns.prompt('Do it', 'webhook');
    await turns.idle();
    expect(of('turn/start')).toMatchObject([{ turn: 4 }]);
  });

  it('ends the open turn by shutdown, closes the driver once, and takes no prompt after that', async () => {
    const { turns, of, seen, requests } = stage([silent]);
    await turns.prompt('Do it', 'person');
    await until(() => requests.length === 1);
    await turns.prompt('And that', 'person');
    const closing = turns.close();
    expect(turns.close()).toBe(closing);
    await expect(turns.prompt('Late', 'person')).rejects.toThrow('shutdown');
    await closing;
    expect(of('turn/end')).toEqual([{ turn: 1, reason: 'aborted', by: 'shutdown' }]);
    expect([seen.driverClosed, seen.runsEnded, of('turn/start').length]).toEqual([1, 1, 1]);
  });

  it('opens no turn any more for a prompt that came between a Stop and the end', async () => {
    const held = deferred<void>();
    const { turns, of } = stage([answers(callOf('a', 'look'), END)], {
      dispatch: async (call) => (await held.promise, ok(call)),
    });
    await turns.prompt('Do it', 'person');
    await until(() => of('tool/call').length === 1);
    await turns.stop('person');
    await turns.prompt('Go on', 'person');
    const closing = turns.close();
    held.resolve();
    await closing;
    expect(of('turn/end')).toEqual([{ turn: 1, reason: 'aborted', by: 'person' }]);
    expect(of('turn/start')).toHaveLength(1);
  });

  it('tells the calls of a closing turn that it closes', async () => {
    const held = heldCalls();
    const { turns, of } = stage([answers(callOf('w', 'write'), callOf('v', 'write'), END)], held);
    await turns.prompt('Do it', 'person');
    await until(() => held.started.length === 1);
    await turns.close();
    expect(of('tool/result')).toMatchObject([{ callId: 'w' }, { callId: 'v', status: 'cancelled', code: 'shutdown' }]);
  });
});
