import { effective } from '../../policy/fold.ts';
import { isWider } from '../../sandbox/mode.ts';
import type { SessionEvent } from '../events.ts';
import { fold, type Folded } from './fold.ts';

/**
 * One more event after a damaged line. Something may be missing there, so policy counts only where it narrows: a wider
 * Mode, or a question where none was allowed, is not believed (sessions.md, Recovery). The rest is only shown.
 */
export function foldAfterGap(state: Folded, event: SessionEvent): Folded {
  const now = effective(state.policy);
  switch (event.type) {
    case 'permission/preset':
    case 'sandbox/settings':
      return state;
    case 'sandbox/mode':
      return isWider(event.data.mode, now.mode) ? state : fold(state, event);
    case 'approval/policy':
      return event.data.policy === 'never' ? fold(state, event) : state;
    default:
      return fold(state, event);
  }
}
