import { lazy, Suspense } from 'react';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
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
import './settings.css';

const DoubtDialog = lazy(async () => ({ default: (await import('./DoubtDialog.tsx')).DoubtDialog }));

/** Everything of the settings file that a window may change, and what this machine and this host are. */
export function SettingsPlace() {
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

/** For as long as it holds: which file, which line, what is wrong. */
function Problem() {
  const { forms } = useText();
  const problem = useSettings((state) => state.problem);
  if (problem === undefined) return null;
  return (
    <div className="problem" role="alert">
      <p>{forms.settings.problem}</p>
      <p className="mono">
        <Visible text={problem} />
      </p>
    </div>
  );
}

function Doubt() {
  const asked = useDoubt((state) => state.asked !== undefined);
  return asked ? (
    <Suspense fallback={null}>
      <DoubtDialog />
    </Suspense>
  ) : null;
}
