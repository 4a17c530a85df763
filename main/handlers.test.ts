import { expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import { requests } from '../app/contract/requests.ts';
import type { Core } from './coreShape.ts';
import { callerOf } from './handlers.fixture.ts';
import { createHandlers } from './handlers.ts';

const A = 's_a' as SessionId;
const B = 's_b' as SessionId;

/** A core of which only `sessions` is asked anything. */
function coreOf(sessions: Partial<Core['sessions']>): Core {
  return { sessions } as Core;
}

it('every request of the table has a handler, and there is no other', () => {
  expect(Object.keys(createHandlers(coreOf({}))).toSorted()).toEqual(Object.keys(requests).toSorted());
});

it('whoever creates a Session follows it from its first event', async () => {
  const caller = callerOf();
  const handlers = createHandlers(coreOf({ create: async () => ({ sessionId: A }) }));
  await handlers['session.create']({ workspace: '/w' }, caller);
  expect(caller.followed).toEqual([[A, 0]]);
});

it('whoever opens a Session follows it from where the answer ends, and its children from now on', async () => {
  const caller = callerOf();
  const view = { seq: 41, children: [{ sessionId: B }] };
  const open = async () => ({ view }) as unknown as Awaited<ReturnType<Core['sessions']['open']>>;
  await createHandlers(coreOf({ open }))['session.open']({ sessionId: A }, caller);
  expect(caller.followed).toEqual([
    [A, 42],
    [B, undefined],
  ]);
});

it('whoever is refused follows nothing', async () => {
  const caller = callerOf();
  const refusal = new Error('not there');
  const handlers = createHandlers(coreOf({ open: () => Promise.reject(refusal) }));
  await expect(handlers['session.open']({ sessionId: A }, caller)).rejects.toBe(refusal);
  expect(caller.followed).toEqual([]);
});
