import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from './fixtures/axe.ts';
import { dialog, fileOf, openSettings, pick, read, themeOf } from './fixtures/settings.ts';
import { expect, test } from './fixtures/test.ts';

test('theme and language change at once, in every window, and are there after a reload and a restart', async ({
  app,
  ui,
  openWindow,
}) => {
  const second = await openWindow();
  await openSettings(ui);
  expect(await themeOf(ui)).toBe('light');
  await pick(ui, 'Dark');
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  await pick(ui, '中文');
  await expect(ui.locator('.settings h1')).toHaveText('设置');
  await expect(ui.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(second.locator('.side-new')).toHaveText('新建会话');
  await ui.reload();
  await expect(ui.locator('.settings h1')).toHaveText('设置');
  expect(await themeOf(ui)).toBe('dark');
  const again = await app.restart();
  await expect(again.locator('.side-new')).toHaveText('新建会话');
  expect(await themeOf(again)).toBe('dark');
  expect(read(fileOf(app))).toMatchObject({ window: { theme: 'dark', language: 'zh', welcomed: true } });
});

test.describe('with a system that is dark', () => {
  test.use({ colorScheme: 'dark' });

  test('a window that follows the system is dark, until it is told otherwise', async ({ ui }) => {
    expect(await themeOf(ui)).toBe('dark');
    await openSettings(ui);
    await pick(ui, 'Light');
    await expect(ui.locator('html')).toHaveAttribute('data-theme', 'light');
  });
});

test('a shortcut takes the keys that are pressed, works with them at once and no more with the old', async ({
  ui,
  app,
}) => {
  await openSettings(ui);
  const row = ui.locator('[data-command="newSession"]');
  await row.getByRole('button', { name: 'Change the keys of New Session' }).click();
  await ui.keyboard.press('Control+j');
  await expect(row.locator('kbd')).toHaveText('Ctrl J');
  await ui.keyboard.press('Control+Shift+O');
  await ui.keyboard.press('Control+,');
  await expect(ui.locator('.settings h1')).toBeVisible();
  await ui.keyboard.press('Control+j');
  await expect(ui.locator('#new-folder')).toBeVisible();
  expect(read(fileOf(app))).toMatchObject({ window: { shortcuts: { newSession: 'Mod+J' } } });

  await ui.reload();
  await openSettings(ui);
  await row.getByRole('button', { name: 'Reset the keys of New Session' }).click();
  await expect(row.locator('kbd')).toHaveText('Ctrl Shift O');
  await ui.keyboard.press('Control+Shift+O');
  await expect(ui.locator('#new-folder')).toBeVisible();
  expect(read(fileOf(app))).toEqual({ window: { welcomed: true, shortcuts: {} } });
});

test('keys that cannot be had say why, and change nothing', async ({ ui, app }) => {
  await openSettings(ui);
  const row = ui.locator('[data-command="newSession"]');
  const press = async (keys: string): Promise<void> => {
    await row.getByRole('button', { name: 'Change' }).click();
    await ui.keyboard.press(keys);
  };
  await press('k');
  await expect(row).toContainText('K would fire while you type');
  await press('Control+.');
  await expect(row).toContainText('already belongs to “Stop this Session”');
  await press('Alt+a');
  await expect(row).toContainText('needed elsewhere');
  await press('Escape');
  await expect(row.getByRole('button', { name: 'Change' })).toBeVisible();
  await expect(row.locator('kbd')).toHaveText('Ctrl Shift O');
  await expect(ui.locator('.settings h1')).toBeVisible();
  expect(read(fileOf(app))).toEqual({ window: { welcomed: true } });
});

test.describe('with shortcuts that were written by hand', () => {
  test.use({ settings: { window: { welcomed: true, shortcuts: { settings: 'Mod+K', stop: 'Q' } } } });

  test('a clash and keys that nobody can press are named at their command', async ({ ui }) => {
    await openSettings(ui);
    await expect(ui.locator('[data-command="settings"]')).toContainText('The same keys as “Commands and Sessions”');
    const stop = ui.locator('[data-command="stop"]');
    await expect(stop).toContainText('“Q”, which nobody can press');
    await expect(stop.locator('kbd')).toHaveText('Ctrl .');
  });
});

test('9-g: without a keyring a secret is stored only with the person’s agreement, is nowhere called safe, and is there after a restart', async ({
  app,
  ui,
}) => {
  const secret = 'hush-7f3a19';
  await openSettings(ui);
  const row = ui.locator('[data-secret="webhook"]');
  await expect(row).toContainText('Not protected');
  await expect(row).not.toContainText(/keychain/i);
  await row.getByRole('button', { name: 'Set…' }).click();
  await row.getByLabel('Value').fill(secret);
  await ui.keyboard.press('Enter');
  await expect(row.getByRole('alert')).toContainText('only when you agree');
  expect(readdirSync(app.home)).not.toContain('secrets.json');
  await row.getByRole('checkbox', { name: 'I agree that it is kept unprotected' }).check();
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row.locator('.tag')).toHaveText('stored');
  expect(statSync(join(app.home, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(await ui.content()).not.toContain(secret);

  const again = await app.restart();
  await openSettings(again);
  await expect(again.locator('[data-secret="webhook"] .tag')).toHaveText('stored');
  await expect(again.locator('[data-secret="webhook"]')).not.toContainText(/keychain/i);
  await again.locator('[data-secret="webhook"]').getByRole('button', { name: 'Remove' }).click();
  await expect(again.locator('[data-secret="webhook"] .tag')).toHaveText('not stored');
  expect(readFileSync(join(app.home, 'secrets.json'), 'utf8')).not.toContain(secret);
});

test('says which host runs, and its version', async ({ ui, door }) => {
  const { host, version, reason = '' } = await door.request('host.describe', {});
  await openSettings(ui);
  const about = ui.locator('section', { has: ui.getByRole('heading', { name: 'About' }) });
  await expect(about).toContainText(`Gatehouse ${version}`);
  await expect(about).toContainText(`${host} host`, { ignoreCase: true });
  await expect(about).toContainText(reason);
});

for (const wanted of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${wanted}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme: wanted, language } } });

      test('axe finds nothing in the settings, their forms and their dialog', async ({ app, ui }) => {
        await openSettings(ui);
        await expect(ui.locator('[data-check="node"]')).toBeVisible();
        await ui.locator('[data-preset] button').first().click();
        await ui.locator('[data-secret="webhook"] button').first().click();
        await ui.locator('[data-secret="webhook"] form .primary').click();
        await ui.locator('[data-command="stop"] button').click();
        await ui.keyboard.press('k');
        await expect(ui.locator('[data-command="stop"] .shortcut-says')).not.toBeEmpty();
        expect(await axe(ui)).toEqual([]);
        writeFileSync(fileOf(app), '{');
        await expect(ui.locator('.problem')).toBeVisible();
        await ui
          .locator('.segment')
          .first()
          .locator('..')
          .locator('.segment', { hasNot: ui.locator(':checked') })
          .first()
          .click();
        await expect(dialog(ui)).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });
