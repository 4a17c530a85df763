import { create } from 'zustand';

export interface Announcement {
  readonly text: string;
  /** Counts: the same words said again are a new announcement. */
  readonly turn: number;
}

export const useAnnouncement = create<Announcement>(() => ({ text: '', turn: 0 }));

/** Said once by a screen reader, when it has finished what it is saying. Nothing is shown. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
}
