import { describe, expect, it } from 'vitest';
import { StorageError } from '../log/journal.ts';
import { AppendError } from '../log/log.ts';
import type { SessionEvent } from './events.ts';
import { history } from './history.ts';
import { StoreError, WINDOW } from './store.ts';
import { committed, headerOf, prepare } from './session.fixture.ts';
import { answer, call, chunk, mode, result, said, step, turnEnd, turnStart } from './talk.fixture.ts';

const talk = [said('hi'), turnStart(1, 0), step(1, 1, 1), chunk('he'), chunk('llo'), answer('hello', 'c1')];

describe('Session', () => {
  it('SES-1: shows the model exactly prompts, answers and results, in order and without the chunks', () => {
    const log = committed([...talk, call('c1'), result('c1'), step(1, 2, 7), chunk('bye'), answer('bye'), turnEnd(1)]);
    expect(history(log)).toEqual([
      { role: 'user', text: 'hi' },
      { role: 'assistant', text: 'hello', calls: [{ callId: 'c1', tool: 'bash', input: {} }] },
      { role: 'tool', callId: 'c1', text: 'done' },
      { role: 'assistant', text: 'bye', calls: [] },
    ]);
  });

  it('SES-2: refuses data that is not lossless, and its length stays', () => {
    const { session } = prepare();
    expect(() => session.append({ type: 'context/policy', data: { text: undefined as unknown as string } })).toThrow(
      'data.text',
    );
    expect(session.length).toBe(0);
  });

  it('SES-5: an explicitly empty seed is closed by one marker at seq 0, and a fresh Session has none', async () => {
    const empty = prepare({ seed: [] });
    expect(empty.session.window.map(({ type, seq }) => [type, seq])).toEqual([['session/end-seed', 0]]);
    expect(prepare().session.length).toBe(0);
  });

  it('knows what the model was last told of the policy, from its seed as from its own log', () => {
    const told = (text: string) => ({ type: 'context/policy', data: { text } }) as const;
    const log = committed([said('hi'), turnStart(1, 0), told('one'), step(1, 1, 2), answer('a'), turnEnd(1)]);
    const { session } = prepare({ seed: log });
    expect(session.folded.context).toBe('one');
    expect(prepare({ stored: log }).session.folded.context).toBe('one');
    session.append(told('two'));
    expect(session.folded.context).toBe('two');
    expect(prepare().session.folded.context).toBeUndefined();
  });

  it('SES-6: opening an untouched Session again does not make its log grow', async () => {
    const first = prepare({ stored: committed([said('hi')]) });
    expect(first.session.window.map(({ type }) => type)).toEqual(['user/message', 'session/end-seed']);
    const second = prepare({ stored: first.session.window });
    expect(second.session.length).toBe(2);
    second.session.begin();
    await second.session.close();
    expect(second.writer.batches).toEqual([]);
  });

  it('SES-8: refuses an append of a listener that is being told, and later listeners see the original order', () => {
    const { session, faults } = prepare();
    const later: number[] = [];
    session.observe(() => void session.append(said('echo')));
    session.observe((event) => void later.push(event.seq));
    session.append(said('a'));
    session.append(said('b'));
    expect(later).toEqual([0, 1]);
    expect(faults.map((fault) => fault instanceof AppendError)).toEqual([true, true]);
    expect(session.length).toBe(2);
  });

  it('has folded an event before any observer hears of it', () => {
    const { session } = prepare();
    const heard: unknown[] = [];
    session.observe(() => void heard.push(session.policyState().mode?.value, session.view().seq));
    session.append(mode('read-only'));
    expect(heard).toEqual(['read-only', 0]);
    expect(session.journal).toBe(session);
  });

  it('keeps the last 300 events, whatever the length of its log', () => {
    const { session } = prepare();
    for (let seq = 0; seq < 1000; seq += 1) session.append(said(`${seq}`));
    expect(session.window).toHaveLength(WINDOW);
    expect([session.window[0]?.seq, session.window.at(-1)?.seq]).toEqual([700, 999]);
  });

  it('stores a seed with the first batch and never tells it to anybody', async () => {
    const { session, writer } = prepare({ seed: committed([said('old'), said('older')]) });
    const told: number[] = [];
    session.durable((batch) => void told.push(...batch.map((event) => event.seq)));
    session.append(mode('read-only'));
    session.begin();
    await session.flush();
    expect(writer.batches.map((batch) => batch.map((event) => event.seq))).toEqual([[0, 1, 2, 3]]);
    expect(told).toEqual([2, 3]);
  });

  it('SES-4: cannot be made from a seed with a gap, and names the index', () => {
    const gap = committed([said('a'), said('b'), said('c')]).map((event) =>
      event.seq < 2 ? event : { ...event, seq: 3 },
    );
    expect(() => prepare({ seed: gap })).toThrow('Seed event 2 has the seq 3');
  });

  it('tells of events only after they are durable, in order, and goes on when a listener throws', async () => {
    const { session, writer, timers, faults } = prepare();
    const told: string[] = [];
    session.begin();
    session.durable(() => {
      throw new Error('broken listener');
    });
    session.durable((batch) => void told.push(`${batch.map((event) => event.seq).join()} of ${writer.events.length}`));
    session.append(said('a'));
    session.append(said('b'));
    expect(told).toEqual([]);
    await timers.pass(50);
    session.append(said('c'));
    await session.flush();
    expect(told).toEqual(['0,1 of 2', '2 of 3']);
    expect(faults).toEqual([new Error('broken listener'), new Error('broken listener')]);
  });

  it('PER-9: a flush on a full disk says so, the events stay committed, and the next flush stores them', async () => {
    const { session, writer } = prepare();
    session.begin();
    session.append(said('a'));
    writer.failure = new StoreError('storage', 'disk full', { full: true });
    const refused: unknown = await session.flush().catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(StorageError);
    expect(refused).toMatchObject({ full: true, cause: writer.failure });
    expect(session.length).toBe(1);
    writer.failure = undefined;
    await session.flush();
    expect(writer.events.map((event) => event.seq)).toEqual([0]);
  });

  it('closes once: what waits is written, the lock is given back, and nothing more is accepted', async () => {
    const { session, writer, timers } = prepare();
    session.begin();
    session.append(said('a'));
    const closing = session.close();
    expect(session.close()).toBe(closing);
    await closing;
    expect([writer.events.length, writer.closed, timers.waiting]).toEqual([1, 1, 0]);
    expect(() => session.append(said('late'))).toThrow('the Session is closed');
  });

  it('gives the lock back although the last events could not be written, and says so', async () => {
    const { session, writer } = prepare();
    session.begin();
    session.append(said('a'));
    writer.failure = new Error('broken disk');
    await expect(session.close()).rejects.toThrow('broken disk');
    expect(writer.closed).toBe(1);
  });

  it('writes nothing of a Session that was never announced', async () => {
    const { session, writer } = prepare();
    session.append(said('a'));
    await session.close();
    expect([writer.batches.length, writer.closed]).toEqual([0, 1]);
  });

  it('refuses before the commit what could never be stored, so that it cannot block what comes after', async () => {
    const { session, writer } = prepare();
    session.begin();
    expect(() => session.append(said('x'.repeat(300_000)))).toThrow('too large');
    expect(() => session.append({ type: 'other/thing', data: {} } as never)).toThrow('unknown type');
    session.append(said('x'.repeat(200_000)));
    await session.flush();
    expect(writer.events).toHaveLength(1);
  });

  it('marks what an older program may skip, whoever appends it', () => {
    const { session } = prepare();
    const notice = session.append({ type: 'session/notice', data: { code: 'x', message: 'y' } });
    expect(notice).toHaveProperty('ignorable', true);
    expect(session.append(said('a'))).not.toHaveProperty('ignorable');
  });

  it('takes header, call ids and folds of a stored log', () => {
    const stored = committed([mode('read-only'), call('c1'), call('c1~2'), call('c2')]);
    const { session } = prepare({ stored, header: headerOf('s_1', { title: 'T' }) });
    expect(session.callIds.get('c1')).toBe(2);
    expect(session.callIds.get('c2')).toBe(1);
    expect(session.view()).toMatchObject({ title: 'T', mode: 'read-only', preset: 'custom', state: 'idle' });
  });

  it('tells what recovery appended as ordinary events', async () => {
    const { session, writer } = prepare({ stored: committed(talk.slice(0, 3)) });
    const told: SessionEvent[] = [];
    session.durable((batch) => void told.push(...batch));
    session.begin();
    await session.flush();
    expect(told.map(({ type, seq }) => [type, seq])).toEqual([
      ['turn/end', 3],
      ['session/end-seed', 4],
    ]);
    expect(writer.events).toEqual(told);
  });
});
