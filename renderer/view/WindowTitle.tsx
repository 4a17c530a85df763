import { useWaitingCount } from '../store/approvals.ts';
import { usePlace } from '../store/place.ts';
import { useSessions } from '../store/sessions.ts';
import { useText, type Dictionary } from '../text/text.ts';
import { visibleText } from '../../app/base/visible.ts';
import { useInForce } from './header/useInForce.ts';

/** The Session, "Full access" when so, and in front how many approvals wait. React keeps `document.title` at it. */
export function WindowTitle() {
  const dictionary = useText();
  const { common } = dictionary;
  const waiting = useWaitingCount();
  const name = useName(dictionary);
  const full = useInForce().now?.mode === 'danger-full-access';
  const parts = [name, full && common.fullAccess, common.product].filter(Boolean);
  return <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${parts.join(' · ')}`}</title>;
}

function useName({ common }: Dictionary): string {
  const sessionId = usePlace(({ place }) => (place.kind === 'session' ? place.sessionId : undefined));
  const title = useSessions((state) => sessionId && state.rows.get(sessionId)?.title);
  return sessionId === undefined ? '' : visibleText(title || common.untitled);
}
