import { CSPProvider } from '@base-ui/react/csp-provider';
import { lazy, Suspense } from 'react';
import { useConnection } from '../store/connection.ts';
import { usePlace } from '../store/place.ts';
import { Announcer } from './approval/Announcer.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { Notices } from './notices/Notices.tsx';
import { SessionPlace } from './SessionPlace.tsx';
import { useShortcuts } from './shortcuts/useShortcuts.ts';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { WindowTitle } from './WindowTitle.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette/Palette.tsx')).Palette }));
const Drawer = lazy(async () => ({ default: (await import('./drawer/Drawer.tsx')).Drawer }));
const ApprovalsPlace = lazy(async () => ({ default: (await import('./approval/ApprovalsPlace.tsx')).ApprovalsPlace }));
const CleanupPlace = lazy(async () => ({ default: (await import('./drawer/CleanupPlace.tsx')).CleanupPlace }));
const NewSession = lazy(async () => ({ default: (await import('./forms/NewSession.tsx')).NewSession }));
const SettingsPlace = lazy(async () => ({ default: (await import('./settings/SettingsPlace.tsx')).SettingsPlace }));
const Welcome = lazy(async () => ({ default: (await import('./welcome/Welcome.tsx')).Welcome }));
const HomePlace = lazy(async () => ({ default: (await import('./forms/HomePlace.tsx')).HomePlace }));

/** The whole window: sidebar, the place a person is at, and for a Session its drawer. */
export function App() {
  const loaded = useConnection((state) => state.loaded);
  const drawer = usePlace((state) => state.place.kind === 'session' && state.drawer !== undefined);
  const palette = usePlace((state) => state.palette);
  useShortcuts();
  return (
    <CSPProvider disableStyleElements>
      <div className={drawer ? 'app with-drawer' : 'app'}>
        <Sidebar />
        <main className="main" data-region="main" aria-busy={!loaded}>
          <ConnectionBar />
          <Notices />
          {loaded && (
            <Suspense fallback={null}>
              <CurrentPlace />
            </Suspense>
          )}
        </main>
        {drawer && (
          <Suspense fallback={null}>
            <Drawer />
          </Suspense>
        )}
      </div>
      {palette && (
        <Suspense fallback={null}>
          <Palette />
        </Suspense>
      )}
      <Announcer />
      <WindowTitle />
    </CSPProvider>
  );
}

function CurrentPlace() {
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
      return <SettingsPlace />;
    case 'welcome':
      return <Welcome />;
    case 'home':
      return <HomePlace />;
  }
}
