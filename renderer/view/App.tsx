import { CSPProvider } from '@base-ui/react/csp-provider';
import { Suspense, useEffect, useState } from 'react';
import { useConnection } from '../store/connection.ts';
import { placeOf, usePlace } from '../store/place.ts';
import { useLanguage } from '../text/text.ts';
import { prepareTimes } from '../transcript/times.ts';
import { Announcer } from './approval/Announcer.tsx';
import { APPROVAL_VIEWS } from './approval/ApprovalDock.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { CurrentPlace, fetchPlace, LATER_PLACES } from './CurrentPlace.tsx';
import { later } from './later.tsx';
import { Notices } from './notices/Notices.tsx';
import { PRESET_VIEWS } from './policy/PresetSelect.tsx';
import { useShortcuts } from './shortcuts/useShortcuts.ts';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { CARD_VIEWS } from './transcript/card/Card.tsx';
import { WindowTitle } from './WindowTitle.tsx';

const Palette = later(async () => (await import('./palette/Palette.tsx')).Palette);
const Drawer = later(async () => (await import('./drawer/Drawer.tsx')).Drawer);
/** The sooner wanted ones first. */
const LATER = [...APPROVAL_VIEWS, ...PRESET_VIEWS, Palette, ...CARD_VIEWS, Drawer, ...LATER_PLACES];

/** The whole window: sidebar, the place a person is at, and for a Session its drawer. */
export function App() {
  const loaded = useConnection((state) => state.loaded);
  const ready = useFirstPlace() && loaded;
  const drawer = usePlace((state) => state.place.kind === 'session' && state.drawer !== undefined);
  const palette = usePlace((state) => state.palette);
  useShortcuts();
  return (
    <CSPProvider disableStyleElements>
      <div className={drawer ? 'app with-drawer' : 'app'}>
        <Sidebar />
        <main className="main" data-region="main" aria-busy={!ready}>
          <ConnectionBar />
          <Notices />
          {ready && (
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

/** True once the code of the first place is here. What may be wanted next is fetched while nothing else is to be done. */
function useFirstPlace(): boolean {
  const [ready, setReady] = useState(false);
  const language = useLanguage();
  useEffect(() => void idle().then(() => prepareTimes(language)), [language]);
  useEffect(() => {
    const fetchAll = async (): Promise<void> => {
      await fetchPlace(placeOf(location.hash)).finally(() => setReady(true));
      for (const view of LATER) {
        await idle();
        await view.fetch();
      }
    };
    // What could not be fetched is tried again, and its fault told, when it is drawn.
    fetchAll().catch(() => undefined);
  }, []);
  return ready;
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}
