import { describe, expect, it } from 'vitest';
import type { SessionDraft } from '../../../app/session/events.ts';
import { fold, NOTHING_SAID } from '../../../app/session/view/fold.ts';
import * as log from '../header/log.fixture.ts';
import { waitsForCleanup } from './waitsForCleanup.ts';

describe('waitsForCleanup', () => {
  it('tells of a call that is in the log and not started while something is being ended', () => {
    expect(waiting(log.cleanup('k1'), log.call('c2'))).toEqual({ id: 'k1', since: 103 });
  });

  it('counts from the cleanup when that began later', () => {
    expect(waiting(log.call('c2'), log.cleanup('k1'))).toEqual({ id: 'k1', since: 103 });
  });

  it('counts from the answer where a person was asked', () => {
    const drafts = [log.cleanup('k1'), log.call('c2'), log.asked('a1', 'c2'), log.allowed('a1')];
    expect(waiting(...drafts)).toEqual({ id: 'k1', since: 105 });
  });

  it.each<[string, readonly SessionDraft[]]>([
    ['nothing is being ended', [log.call('c2')]],
    ['no call is open', [log.cleanup('k1')]],
    ['the call has started', [log.cleanup('k1'), log.call('c2'), log.begun('c2')]],
    ['the call has its result', [log.cleanup('k1'), log.call('c2'), log.result('c2')]],
    ['a person is asked about the call', [log.cleanup('k1'), log.call('c2'), log.asked('a1', 'c2')]],
    ['the cleanup has failed', [log.cleanup('k1'), log.call('c2'), log.cleanupEnded('k1', 'stuck')]],
    ['the turn is over', [log.cleanup('k1'), log.call('c2'), log.turnEnd(1)]],
  ])('tells nothing when %s', (_name, drafts) => {
    expect(waiting(...drafts)).toBeUndefined();
  });
});

/** In a turn that has just been opened. */
function waiting(...drafts: readonly SessionDraft[]) {
  const events = log.logged(log.said('go'), log.turnStart(1), ...drafts);
  const found = waitsForCleanup(events, events.reduce(fold, NOTHING_SAID).cleanups);
  return found && { id: found.cleanup.cleanupId, since: found.since };
}
