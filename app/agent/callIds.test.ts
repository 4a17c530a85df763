import { expect, it } from 'vitest';
import { callIdsOf } from '../session/callIds.ts';
import type { SessionEvent } from '../session/events.ts';
import { CallIds } from './callIds.ts';

it('survives a driver that chose a number too great to count on from', () => {
  const log = ['c~999999999999999999999', 'c~3', 'd'].map((callId) => ({ type: 'tool/call', data: { callId } }));
  const ids = new CallIds(callIdsOf(log as unknown as SessionEvent[]));
  expect(['c', 'c', 'd'].map((id) => ids.own(id))).toEqual(['c~4', 'c~5', 'd~2']);
});
