import type { Page } from '@playwright/test';
import { axe } from './fixtures/axe.ts';
import { ASKS, HELD } from './fixtures/states.ts';
import { expect, test } from './fixtures/test.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Type a command or a Session' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Commands and Sessions' }).getByRole('option');

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

async function command(page: Page, words: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeHidden();
}

const region = (page: Page, name: string) => page.locator(`[data-region="${name}"]`);
const focusedIn = (page: Page, name: string) => expect(region(page, name).locator(':focus')).toHaveCount(1);

test('every command stands in the palette with the keys that call it, then every Session', async ({ ui, session }) => {
  await session({ script: HELD, title: 'Alpha' });
  await session({ script: HELD, title: 'Beta' });
  await openPalette(ui);
  for (const [name, keys] of [
    ['New Session', 'Ctrl Shift O'],
    ['Change preset', 'Ctrl Shift P'],
    ['Next part of the window', 'F6'],
    ['Settings', 'Ctrl ,'],
  ] as const)
    await expect(options(ui).filter({ hasText: name })).toContainText(keys);
  await expect(options(ui).filter({ hasText: /^(Alpha|Beta)/ })).toHaveText([/^Beta/, /^Alpha/]);
});

test('a few letters find, arrows go round, Enter opens, and what is marked is told to a screen reader', async ({
  ui,
  session,
}) => {
  const alpha = await session({ script: HELD, title: 'Alpha project' });
  await session({ script: HELD, title: 'Beta project' });
  await openPalette(ui);
  await ui.keyboard.type('proj al');
  await expect(options(ui)).toHaveText([/^Alpha project/]);
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText(alpha.title);

  await openPalette(ui);
  await ui.keyboard.type('project');
  await expect(options(ui)).toHaveCount(2);
  await ui.keyboard.press('ArrowUp');
  await expect(options(ui).last()).toHaveAttribute('aria-selected', 'true');
  await expect(field(ui)).toHaveAttribute('aria-activedescendant', (await options(ui).last().getAttribute('id')) ?? '');
  await ui.keyboard.press('ArrowDown');
  await expect(options(ui).first()).toHaveAttribute('aria-selected', 'true');
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Beta project');

  await openPalette(ui);
  await ui.keyboard.type('nothing like it');
  await expect(ui.getByText('Nothing has that name.')).toBeVisible();
  await ui.keyboard.press('Enter');
  await expect(field(ui)).toBeFocused();
});

test('Escape, and the keys that called it, lead back to where one was', async ({ ui, session }) => {
  await session({ script: HELD });
  await ui.locator('#composer').fill('half a message');
  await openPalette(ui);
  await ui.keyboard.press('Escape');
  await expect(ui.locator('#composer')).toBeFocused();
  await openPalette(ui);
  await ui.keyboard.press('Control+k');
  await expect(field(ui)).toBeHidden();
  await expect(ui.locator('#composer')).toBeFocused();
  await expect(ui.locator('#composer')).toHaveValue('half a message');
});

test('a command that moves the focus has it, when the palette is gone', async ({ ui, session }) => {
  await session({ script: ASKS, prompt: 'Go' });
  await expect(ui.locator('[data-approval]')).toBeVisible();
  await command(ui, 'write a');
  await expect(ui.locator('#composer')).toBeFocused();
  await command(ui, 'change preset');
  await expect(ui.locator('#preset-select')).toBeFocused();
  await command(ui, 'search');
  await expect(ui.locator('#session-search')).toBeFocused();
  await command(ui, 'pending');
  await focusedIn(ui, 'approval');
  await command(ui, 'next part');
  await expect(ui.locator('#composer')).toBeFocused();
});

test('each shortcut does what stands beside it', async ({ ui, session }) => {
  const made = await session({ script: ASKS, prompt: 'Go' });
  await expect(ui.locator('[data-approval]')).toBeVisible();
  await ui.keyboard.press('Control+/');
  await expect(ui.locator('#composer')).toBeFocused();
  await ui.keyboard.press('Control+Shift+F');
  await expect(ui.locator('#session-search')).toBeFocused();
  await ui.keyboard.press('Control+Shift+P');
  await expect(ui.locator('#preset-select')).toBeFocused();
  await ui.keyboard.press('Control+Shift+A');
  await focusedIn(ui, 'approval');
  await ui.keyboard.press('Control+Shift+L');
  await expect(ui.getByRole('tab', { name: 'Cleanup' })).toHaveAttribute('aria-selected', 'true');
  await ui.keyboard.press('Control+Shift+E');
  await expect(ui.getByRole('tab', { name: 'Environments' })).toHaveAttribute('aria-selected', 'true');
  await ui.keyboard.press('Control+Shift+E');
  await expect(region(ui, 'drawer')).toBeHidden();
  await ui.keyboard.press('Control+.');
  await made.until('turn/end');
  await ui.keyboard.press('Control+,');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await ui.keyboard.press('Control+Shift+O');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('New Session');
});

test('a held key calls a command once, and one that belongs to an input method none', async ({ ui, session }) => {
  await session({ script: HELD });
  await ui.keyboard.down('Control');
  await ui.keyboard.down('Shift');
  await ui.keyboard.down('KeyL');
  await expect(region(ui, 'drawer')).toBeVisible();
  await ui.keyboard.down('KeyL');
  await ui.keyboard.up('KeyL');
  await ui.keyboard.up('Shift');
  await ui.keyboard.up('Control');
  await ui.keyboard.press('F6');
  await expect(region(ui, 'drawer')).toBeVisible();
});

test('F6 goes through the parts of the window and comes back to where one was in each', async ({ ui, session }) => {
  await session({ script: ASKS, prompt: 'Go' });
  await expect(ui.locator('[data-approval]')).toBeVisible();
  await ui.keyboard.press('Control+Shift+E');
  await expect(region(ui, 'drawer')).toBeVisible();
  await ui.locator('#session-search').focus();
  for (const name of ['transcript', 'approval', 'composer', 'drawer', 'sidebar']) {
    await ui.keyboard.press('F6');
    await focusedIn(ui, name);
  }
  await expect(ui.locator('#session-search')).toBeFocused();
  for (const name of ['drawer', 'composer', 'approval', 'transcript', 'sidebar']) {
    await ui.keyboard.press('Shift+F6');
    await focusedIn(ui, name);
  }
  await ui.keyboard.press('Control+,');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await ui.keyboard.press('F6');
  await focusedIn(ui, 'main');
  await ui.keyboard.press('F6');
  await focusedIn(ui, 'sidebar');
});

test('an alert dialog lets no shortcut through', async ({ ui, session }) => {
  await session({ script: HELD });
  await ui.locator('#preset-select[role="combobox"]').click();
  await ui.getByRole('option', { name: 'Full access' }).click();
  await expect(ui.getByRole('alertdialog')).toBeVisible();
  await ui.keyboard.press('Control+,');
  await ui.keyboard.press('Escape');
  await expect(ui.getByRole('alertdialog')).toBeHidden();
  await expect(ui.locator('#composer')).toBeVisible();
});

test('a title that holds hidden characters is drawn with them', async ({ ui, session }) => {
  await session({ script: HELD, title: 'safe\u202Etxt.exe' });
  await openPalette(ui);
  await ui.keyboard.type('safe');
  await expect(options(ui)).toContainText('safe⟨U+202E⟩txt.exe');
});

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing in the palette', async ({ ui, session }) => {
        await session({ script: HELD, title: 'One' });
        await ui.keyboard.press('Control+k');
        await expect(ui.locator('.palette-field')).toBeFocused();
        expect(await axe(ui)).toEqual([]);
        await ui.keyboard.type('zzzz');
        await expect(ui.locator('.palette-none')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });
