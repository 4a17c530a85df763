import type { SessionId } from '../base/id.ts';
import type { Journal } from '../log/journal.ts';
import type { PolicyEvent } from './events.ts';
import type { PolicyState } from './fold.ts';

/** A Session as the policy room sees it: its log and the fold of what the log said so far. */
export interface PolicySubject {
  readonly id: SessionId;
  readonly journal: Journal<PolicyEvent>;
  policyState(): PolicyState;
}
