import { createContext, useContext } from 'react';
import type { SessionId } from '../../../app/base/id.ts';

/** What a row may ask of its list. Stays the same object for as long as the Session is shown. */
export interface RowActions {
  readonly sessionId: SessionId;
  /** Opens a card, or closes it. */
  readonly toggle: (key: string) => void;
  /** Shows the raw events of a row, or hides them. */
  readonly toggleRaw: (key: string) => void;
  readonly copyReport: (key: string) => void;
  readonly openMenu: (key: string, anchor: HTMLElement) => void;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
}

export const RowContext = createContext<RowActions | undefined>(undefined);

export function useRowActions(): RowActions {
  const actions = useContext(RowContext);
  if (!actions) throw new Error('A row is drawn outside of the transcript');
  return actions;
}
