import { expect, it } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron/main';
import { menuTemplate } from './menu.ts';
import { textsOf } from './text.ts';

const texts = textsOf('en', 'en');
const quiet = { newWindow: () => undefined, reload: () => undefined };

function itemsOf(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}

function menu(change: { mac?: boolean; devTools?: boolean } = {}, commands = quiet) {
  return itemsOf(menuTemplate({ texts, commands, mac: false, devTools: false, ...change }));
}

it('every entry says what it does, and quit is in it once', () => {
  for (const mac of [true, false]) {
    const items = menu({ mac });
    expect(items.filter(({ label, type }) => !label && type !== 'separator')).toEqual([]);
    expect(items.filter(({ role }) => role === 'quit')).toHaveLength(1);
  }
});

it('does what is asked for: a new window, the window loaded again', () => {
  const done: string[] = [];
  const commands = { newWindow: () => void done.push('new'), reload: () => void done.push('reload') };
  for (const { click } of menu({}, commands)) click?.(undefined as never, undefined, undefined as never);
  expect(done).toEqual(['new', 'reload']);
});

it('shows the developer tools only where they are allowed', () => {
  const has = (devTools: boolean) => menu({ devTools }).some(({ role }) => role === 'toggleDevTools');
  expect([has(true), has(false)]).toEqual([true, false]);
});

it('leaves the keys of the window alone: no plain key, nothing with Alt, not the palette, not the approvals', () => {
  const keys = menu().flatMap(({ accelerator }) => (accelerator === undefined ? [] : [String(accelerator)]));
  expect(keys).not.toEqual([]);
  expect(keys.filter((key) => !/^(CmdOrCtrl|Ctrl)\+/.test(key) || /Alt|\+K$|Shift\+A$/.test(key))).toEqual([]);
});
