import { create } from 'zustand';
import { isId, type SessionId } from '../../app/base/id.ts';
import { closeSession, openSession } from './opened.ts';

/** What the main area shows. */
export type Place =
  | { readonly kind: 'session'; readonly sessionId: SessionId }
  | { readonly kind: 'approvals' }
  | { readonly kind: 'cleanup' }
  | { readonly kind: 'new'; readonly workspace?: string }
  /** `workspace`: at the settings of this one. */
  | { readonly kind: 'settings'; readonly workspace?: string }
  | { readonly kind: 'welcome' }
  | { readonly kind: 'home' };

export type Drawer = 'cleanup' | 'environments' | 'jobs' | 'proof';

export interface PlaceStore {
  readonly place: Place;
  /** At the right of a Session; undefined: closed. */
  readonly drawer: Drawer | undefined;
  readonly palette: boolean;
  /** The event that a link pointed to: the transcript brings it on screen and clears this. */
  readonly reveal: number | undefined;
}

export const usePlace = create<PlaceStore>(() => ({
  place: { kind: 'home' },
  drawer: undefined,
  palette: false,
  reveal: undefined,
}));

/** The place stands in the address, so that a window that loads anew comes back to it. */
export function go(place: Place): void {
  usePlace.setState({ place, palette: false });
  history.replaceState(null, '', `#${addressOf(place)}`);
  if (place.kind === 'session') void openSession(place.sessionId);
  else closeSession();
}

/** To one event of a Session's log. */
export function reveal(sessionId: SessionId, seq: number): void {
  const { place } = usePlace.getState();
  if (place.kind !== 'session' || place.sessionId !== sessionId) go({ kind: 'session', sessionId });
  usePlace.setState({ reveal: seq });
}

export function openDrawer(drawer: Drawer): void {
  usePlace.setState({ drawer });
}

export function closeDrawer(): void {
  usePlace.setState({ drawer: undefined });
}

export function togglePalette(open: boolean): void {
  usePlace.setState({ palette: open });
}

/** What the address says; `home` when it says nothing. */
export function placeOf(hash: string): Place {
  const [, kind = '', id = ''] = hash.replace(/^#/, '').split('/');
  switch (kind) {
    case 'session':
      // `isId` has just looked at it; the brand says nothing more.
      return isId(id) ? { kind, sessionId: id as SessionId } : { kind: 'home' };
    case 'approvals':
    case 'cleanup':
    case 'new':
    case 'settings':
    case 'welcome':
      return { kind };
    default:
      return { kind: 'home' };
  }
}

function addressOf(place: Place): string {
  return place.kind === 'session' ? `/session/${place.sessionId}` : `/${place.kind}`;
}
