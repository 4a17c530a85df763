import { useSettings, type Theme } from '../store/settings.ts';

const REMEMBERED = 'gatehouse.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Before the first paint: what was in force when this window was last open. Then whatever the settings say. */
export function followTheme(): void {
  apply(remembered());
  dark.addEventListener('change', () => apply(useSettings.getState().window.theme));
  useSettings.subscribe(({ revision, window: { theme } }) => {
    if (revision === undefined) return;
    localStorage.setItem(REMEMBERED, theme);
    apply(theme);
  });
}

function apply(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

function remembered(): Theme {
  const theme = localStorage.getItem(REMEMBERED);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
