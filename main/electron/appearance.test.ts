import { expect, it } from 'vitest';
import { Appearance } from './appearance.ts';

function setUp(settings: Record<string, never> | { window: Record<string, string> }, locale = 'en-US') {
  const nativeTheme = {
    themeSource: 'system' as 'system' | 'light' | 'dark',
    get shouldUseDarkColors(): boolean {
      return this.themeSource === 'dark';
    },
  };
  let changes = 0;
  const changed = (): void => void (changes += 1);
  const appearance = new Appearance({ app: { getLocale: () => locale }, nativeTheme, settings, changed });
  return { appearance, nativeTheme, changes: () => changes };
}

it('begins with what the person chose, or with what the system has', () => {
  expect(setUp({}, 'zh-CN').appearance.texts.language).toBe('zh-Hans');
  const { appearance, nativeTheme } = setUp({ window: { theme: 'dark', language: 'zh' } });
  expect([appearance.texts.language, nativeTheme.themeSource]).toEqual(['zh-Hans', 'dark']);
});

it('follows the settings, and says so', () => {
  const { appearance, nativeTheme, changes } = setUp({});
  const light = appearance.background;
  appearance.follow({ window: { theme: 'dark', language: 'zh' }, unknown: 1 });
  expect([appearance.texts.language, nativeTheme.themeSource, changes()]).toEqual(['zh-Hans', 'dark', 1]);
  expect(appearance.background).not.toBe(light);
});
