import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './store/connect.ts';
import { useSettings } from './store/settings.ts';
import { setLanguage } from './text/text.ts';
import { App } from './view/App.tsx';
import { followTheme } from './view/theme.ts';

followTheme();
followLanguage();
connect();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

function followLanguage(): void {
  void setLanguage('system');
  useSettings.subscribe(({ window }, before) => {
    if (window.language !== before.window.language) void setLanguage(window.language);
  });
}
