import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../../app/base/id.ts';
import type { SessionDraft } from '../../../app/session/events.ts';
import { logged, mode, said, turnStart, turnStopping } from './log.fixture.ts';
import { inheritedFrom, isStopping, turnBegan } from './turn.ts';

describe('the open turn', () => {
  it('began with its own event, and not with that of an older one', () => {
    const log = logged(said('a'), turnStart(1), turnStart(2));
    expect(turnBegan(log, 2)).toBe(102);
    expect(turnBegan(log, 1)).toBe(101);
    expect(turnBegan(log.slice(2), 1)).toBeUndefined();
  });

  it('is being stopped from the event on that says so', () => {
    const log = logged(said('a'), turnStart(1), turnStopping(1));
    expect(isStopping(log.slice(0, 2), 1)).toBe(false);
    expect(isStopping(log, 1)).toBe(true);
    expect(isStopping(log, 2)).toBe(false);
  });
});

describe('inheritedFrom', () => {
  const from = { sessionId: 'parent' as SessionId, seq: 4 };
  const copied: SessionDraft = { type: 'sandbox/mode', data: { mode: 'read-only', source: 'delegation', from } };

  it('tells where the Mode of a child was copied from', () => {
    expect(inheritedFrom(logged(copied, said('go')))).toEqual(from);
  });

  it('is over once the child was given a Mode of its own', () => {
    expect(inheritedFrom(logged(copied, mode('workspace-write')))).toBeUndefined();
    expect(inheritedFrom([])).toBeUndefined();
  });
});
