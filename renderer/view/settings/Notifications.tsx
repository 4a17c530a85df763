import { useState } from 'react';
import { useConnection } from '../../store/connection.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Section } from './Section.tsx';
import { useSave } from './useSave.ts';

/** Notes outside of the window. In a browser they are the browser's, and it wants to be asked on a click. */
export function Notifications() {
  const { forms } = useText();
  const words = forms.settings;
  const on = useSettings((state) => state.window.notifications);
  const browser = useConnection((state) => state.host?.host === 'browser') && 'Notification' in window;
  const [permission, setPermission] = useState(() => (browser ? Notification.permission : 'granted'));
  const { trouble, run } = useSave();
  const ask = (): void => void Notification.requestPermission().then(setPermission);
  const toggle = (to: boolean): void => {
    if (to && browser && permission === 'default') ask();
    run({ at: ['window', 'notifications'], to, seen: on });
  };
  return (
    <Section id="notifications" title={words.notifications} trouble={trouble}>
      <label className="check">
        <input type="checkbox" checked={on} onChange={(event) => toggle(event.target.checked)} />
        {words.notify}
      </label>
      <p className="muted">{words.notifyMeans}</p>
      {browser && on && (
        <p className="setting-line" role="status">
          {words.permission[permission]}
          {permission === 'default' && (
            <button type="button" className="button" onClick={ask}>
              {words.askBrowser}
            </button>
          )}
        </p>
      )}
    </Section>
  );
}
