import { useWaitingCount } from '../store/approvals.ts';
import { useOpened } from '../store/opened.ts';
import { usePlace } from '../store/place.ts';
import { useSessions } from '../store/sessions.ts';
import { effective } from '../../app/policy/fold.ts';
import { useText, type Dictionary } from '../text/text.ts';

/** The Session, "Full access" when so, and in front how many approvals wait. React keeps `document.title` at it. */
export function WindowTitle() {
  const dictionary = useText();
  const { common } = dictionary;
  const waiting = useWaitingCount();
  const name = useName(dictionary);
  const full = useOpened(({ opened }) => opened.kind === 'open' && isFull(opened.folded.policy));
  const parts = [name, full && common.fullAccess, common.product].filter(Boolean);
  return <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${parts.join(' · ')}`}</title>;
}

function useName({ common }: Dictionary): string {
  const sessionId = usePlace(({ place }) => (place.kind === 'session' ? place.sessionId : undefined));
  const title = useSessions((state) => sessionId && state.rows.get(sessionId)?.title);
  return sessionId === undefined ? '' : title || common.untitled;
}

function isFull(policy: Parameters<typeof effective>[0]): boolean {
  return effective(policy).mode === 'danger-full-access';
}
