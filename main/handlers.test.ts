import { expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import { requests } from '../app/contract/requests.ts';
import type { Core } from './coreShape.ts';
import { callerOf } from './handlers.fixture.ts';
import { createHandlers } from './handlers.ts';
import { MemoryHost } from './host/host.fixture.ts';

const A = 's_a' as SessionId;
const B = 's_b' as SessionId;

/** A core of which only `sessions` is asked anything. */
function coreOf(sessions: Partial<Core['sessions']>): Core {
  return { sessions } as Core;
}

it('every request of the table has a handler, and there is no other', () => {
  expect(Object.keys(createHandlers(coreOf({}), new MemoryHost())).toSorted()).toEqual(
    Object.keys(requests).toSorted(),
  );
});

it('whoever creates a Session follows it from its first event', async () => {
  const caller = callerOf();
  const handlers = createHandlers(coreOf({ create: async () => ({ sessionId: A }) }), new MemoryHost());
  await handlers['session.create']({ workspace: '/w' }, caller);
  expect(caller.followed).toEqual([[A, 0]]);
});

it('whoever starts the demo follows it from its first event', async () => {
  const caller = callerOf();
  const core = { demo: { start: async () => ({ sessionId: A }) } } as unknown as Core;
  await createHandlers(core, new MemoryHost())['demo.start']({}, caller);
  expect(caller.followed).toEqual([[A, 0]]);
});

it.each([
  ['the view ends', { last: 41, more: true, after: undefined }, 42],
  ['the durable events end, when the view is ahead of them', { last: 39, more: true, after: undefined }, 40],
  ['the view ends, when there are more pages before it', { last: 20, more: true, after: 10 }, 42],
  ['the last page ends', { last: 40, more: false, after: 30 }, 41],
  ['the view ends, when there was nothing to tell', { last: undefined, more: false, after: 41 }, 42],
])('whoever opens a Session follows it from where %s, and its children from now on', async (_where, opened, from) => {
  const caller = callerOf();
  const view = { seq: 41, children: [{ sessionId: B }] };
  const events = opened.last === undefined ? [] : [{ seq: opened.last }];
  const answer = { view, events, more: opened.more } as unknown as Awaited<ReturnType<Core['sessions']['open']>>;
  const handlers = createHandlers(coreOf({ open: async () => answer }), new MemoryHost());
  const after = opened.after === undefined ? {} : { after: opened.after };
  await handlers['session.open']({ sessionId: A, ...after }, caller);
  expect(caller.followed).toEqual([
    [A, from],
    [B, undefined],
  ]);
});

it('whoever is refused follows nothing', async () => {
  const caller = callerOf();
  const refusal = new Error('not there');
  const handlers = createHandlers(coreOf({ open: () => Promise.reject(refusal) }), new MemoryHost());
  await expect(handlers['session.open']({ sessionId: A }, caller)).rejects.toBe(refusal);
  expect(caller.followed).toEqual([]);
});
