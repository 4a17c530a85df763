import { expect, it } from 'vitest';
import { Cancelled } from '../app/base/cancel.ts';
import { RequestError, type ErrorCode } from '../app/contract/reply.ts';
import type { Handlers } from '../app/contract/requests.ts';
import { StorageError } from '../app/log/journal.ts';
import { StoreError } from '../app/session/store.ts';
import { Door } from './door.ts';
import { callerOf, handlersWith } from './handlers.fixture.ts';

function setUp(some: Partial<Handlers>) {
  const faults: unknown[] = [];
  const door = new Door({ handlers: handlersWith(some), onFault: (fault) => void faults.push(fault) });
  const ask = (name: unknown, raw: unknown = {}) => door.answer(callerOf(), name, raw);
  return { door, ask, faults };
}

it('gives the handler the parsed input and the caller, and replies with its output', async () => {
  const seen: unknown[] = [];
  const { ask } = setUp({
    'session.prompt': async (input, caller) => {
      seen.push(input, caller.door);
      return { seq: 7 };
    },
  });
  expect(await ask('session.prompt', { sessionId: 's_1', text: 'Go' })).toEqual({ ok: true, output: { seq: 7 } });
  expect(seen).toEqual([{ sessionId: 's_1', text: 'Go' }, 'test']);
});

it.each(['session.fork', 'toString', '__proto__', 'hasOwnProperty', '', 5, null, undefined, {}])(
  'refuses %j as an unknown request and reports no fault',
  async (name) => {
    const { ask, faults } = setUp({});
    expect(await ask(name)).toMatchObject({ ok: false, code: 'unknown-request' });
    expect(faults).toEqual([]);
  },
);

it('names the places of an invalid input in words, and runs nothing', async () => {
  const { ask, faults } = setUp({});
  const reply = await ask('session.prompt', { sessionId: '../x', text: 5, extra: 1 });
  expect(reply).toMatchObject({ ok: false, code: 'invalid-input' });
  const message = 'message' in reply ? reply.message : '';
  expect(message).toContain('session.prompt: sessionId: must be an id');
  expect(message).toContain('text: Invalid input: expected string');
  expect(message).toContain('extra');
  expect(faults).toEqual([]);
});

it('keeps the message of an invalid input short, however long the input is', async () => {
  const { ask } = setUp({});
  const reply = await ask('doctor.run', { ['\u{1f600}'.repeat(1_000_000)]: 1 });
  const message = 'message' in reply ? reply.message : '';
  expect(message.length).toBeLessThanOrEqual(1000);
  expect(message.isWellFormed()).toBe(true);
});

it.each<[Error, ErrorCode, number]>([
  [new RequestError('unknown-preset', 'There is no preset x'), 'unknown-preset', 0],
  [new StoreError('not-found', 'There is no preset x'), 'not-found', 0],
  [new StoreError('invalid-header', 'There is no preset x'), 'damaged', 0],
  [new StoreError('newer-version', 'There is no preset x'), 'newer-version', 0],
  [new StoreError('storage', 'There is no preset x'), 'storage', 1],
  [new StorageError('There is no preset x', true), 'storage', 1],
])('turns %s into its code', async (fault, code, reported) => {
  const { ask, faults } = setUp({ 'doctor.run': () => Promise.reject(fault) });
  expect(await ask('doctor.run')).toEqual({ ok: false, code, message: 'There is no preset x.' });
  expect(faults).toHaveLength(reported);
});

it('tells a fault to the log, and to the client neither its message nor its stack', async () => {
  const secret = new TypeError('cannot read /home/someone/secret');
  const { ask, faults } = setUp({ 'doctor.run': () => Promise.reject(secret) });
  const reply = await ask('doctor.run');
  expect(reply).toMatchObject({ ok: false, code: 'internal' });
  expect(JSON.stringify(reply)).not.toContain('secret');
  expect(faults).toEqual([secret]);
});

it('answers what the closing has cut short as closing, and reports no fault', async () => {
  const { ask, faults } = setUp({ 'doctor.run': () => Promise.reject(new Cancelled({ kind: 'shutdown' })) });
  expect(await ask('doctor.run')).toMatchObject({ ok: false, code: 'closing' });
  expect(faults).toEqual([]);
});

it('turns a handler that throws synchronously into a reply', async () => {
  const { ask } = setUp({
    'doctor.run': () => {
      throw new RequestError('conflict', 'busy');
    },
  });
  expect(await ask('doctor.run')).toEqual({ ok: false, code: 'conflict', message: 'busy.' });
});

it('starts nothing after closing began, and lets what has started finish', async () => {
  const gate = Promise.withResolvers<{ checks: [] }>();
  let started = 0;
  const { door, ask } = setUp({
    'doctor.run': () => {
      started += 1;
      return gate.promise;
    },
  });
  const first = ask('doctor.run');
  door.beginClosing();
  expect(await ask('doctor.run')).toMatchObject({ ok: false, code: 'closing' });
  expect(await ask('no.such')).toMatchObject({ ok: false, code: 'closing' });
  gate.resolve({ checks: [] });
  expect(await first).toEqual({ ok: true, output: { checks: [] } });
  expect(started).toBe(1);
});
