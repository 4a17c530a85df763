import type { SessionId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from './events.ts';
import { foldPolicy, NO_POLICY, type PolicyState } from './fold.ts';

/** A Session of the policy room alone. */
export function policySubject(seed: readonly Draft[] = []) {
  const journal = new MemoryJournal<PolicyEvent>({ seed });
  const policyState = () => journal.events.reduce<PolicyState>(foldPolicy, NO_POLICY);
  return { id: 's_1' as SessionId, journal, policyState };
}
