import { usePlace, type Place } from '../store/place.ts';
import { later, type Fetchable } from './later.tsx';
import { SessionPlace } from './SessionPlace.tsx';

const ApprovalsPlace = later(async () => (await import('./approval/ApprovalsPlace.tsx')).ApprovalsPlace);
const CleanupPlace = later(async () => (await import('./drawer/CleanupPlace.tsx')).CleanupPlace);
const NewSession = later(async () => (await import('./forms/NewSession.tsx')).NewSession);
const SettingsPlace = later(async () => (await import('./settings/SettingsPlace.tsx')).SettingsPlace);
const Welcome = later(async () => (await import('./welcome/Welcome.tsx')).Welcome);
const HomePlace = later(async () => (await import('./forms/HomePlace.tsx')).HomePlace);

/** The likelier ones first. */
export const LATER_PLACES: readonly Fetchable[] = [HomePlace, NewSession, ApprovalsPlace, CleanupPlace, SettingsPlace];

export function CurrentPlace() {
  const place = usePlace((state) => state.place);
  switch (place.kind) {
    case 'session':
      return <SessionPlace key={place.sessionId} sessionId={place.sessionId} />;
    case 'approvals':
      return <ApprovalsPlace />;
    case 'cleanup':
      return <CleanupPlace />;
    case 'new':
      return <NewSession workspace={place.workspace} />;
    case 'settings':
      return <SettingsPlace workspace={place.workspace} />;
    case 'welcome':
      return <Welcome />;
    case 'home':
      return <HomePlace />;
  }
}

/** The code that a place needs, before it is drawn. */
export async function fetchPlace({ kind }: Place): Promise<void> {
  switch (kind) {
    case 'session':
      return;
    case 'approvals':
      return ApprovalsPlace.fetch();
    case 'cleanup':
      return CleanupPlace.fetch();
    case 'new':
      return NewSession.fetch();
    case 'settings':
      return SettingsPlace.fetch();
    case 'welcome':
      return Welcome.fetch();
    case 'home':
      return HomePlace.fetch();
  }
}
