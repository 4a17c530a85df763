import { lazy, Suspense } from 'react';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { About } from './About.tsx';
import { Appearance } from './Appearance.tsx';
import { Checks } from './Checks.tsx';
import { Notifications } from './Notifications.tsx';
import { Presets } from './Presets.tsx';
import { useDoubt } from './save.ts';
import { Secrets } from './Secrets.tsx';
import { Section } from './Section.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import { useDoctor } from './useDoctor.ts';
import { Workspaces } from './Workspaces.tsx';
import './settings.css';

const DoubtDialog = lazy(async () => ({ default: (await import('./DoubtDialog.tsx')).DoubtDialog }));

/** Everything of the settings file that a window may change, and what this machine and this host are. */
export function SettingsPlace({ workspace }: { readonly workspace: string | undefined }) {
  const { forms } = useText();
  const words = forms.settings;
  const doctor = useDoctor();
  return (
    <div className="page settings">
      <h1>{words.title}</h1>
      <Problem />
      <Appearance />
      <Notifications />
      <Presets />
      <Workspaces shown={workspace} />
      <Shortcuts />
      <Secrets />
      <Section id="machine" title={words.machine}>
        <Checks doctor={doctor} />
      </Section>
      <About />
      <Doubt />
    </div>
  );
}

/** For as long as it holds. Which file, which line and what is wrong is said at the top of every place. */
function Problem() {
  const { forms } = useText();
  const wrong = useSettings((state) => state.problem !== undefined);
  return wrong ? <p className="problem">{forms.settings.problem}</p> : null;
}

function Doubt() {
  const asked = useDoubt((state) => state.asked !== undefined);
  return asked ? (
    <Suspense fallback={null}>
      <DoubtDialog />
    </Suspense>
  ) : null;
}
