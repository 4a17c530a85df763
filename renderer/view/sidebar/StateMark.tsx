import { Circle, CircleAlert, CircleX, Hand, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { SessionState } from '../../../app/session/view.ts';

const ICONS: Readonly<Record<SessionState, LucideIcon>> = {
  waiting: Hand,
  running: LoaderCircle,
  failed: CircleX,
  idle: Circle,
};

interface StateMarkProps {
  readonly state: SessionState;
  readonly damaged?: boolean;
}

/** The state as shape and colour; the word always stands beside it. */
export function StateMark({ state, damaged = false }: StateMarkProps) {
  const Icon = damaged ? CircleAlert : ICONS[state];
  return <Icon size={13} className={damaged ? 'state failed' : `state ${state}`} aria-hidden="true" />;
}
