import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { axe } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';

const fileOf = ({ home }: { readonly home: string }) => join(home, 'settings.json');
const read = (file: string): object => JSON.parse(readFileSync(file, 'utf8')) as object;
const dialog = (page: Page) => page.getByRole('alertdialog');
const theme = (page: Page) => page.locator('html').getAttribute('data-theme');

async function openSettings(page: Page): Promise<void> {
  await page.locator('.side-foot').click();
  await expect(page.locator('.settings h1')).toBeVisible();
}

/** As a person clicks it: the input itself lies under its label. */
async function pick(page: Page, name: string): Promise<void> {
  await page.locator('.segment', { hasText: name }).first().click();
}

test('theme and language change at once, in every window, and are there after a reload and a restart', async ({
  app,
  ui,
  openWindow,
}) => {
  const second = await openWindow();
  await openSettings(ui);
  expect(await theme(ui)).toBe('light');
  await pick(ui, 'Dark');
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  await pick(ui, '中文');
  await expect(ui.locator('.settings h1')).toHaveText('设置');
  await expect(ui.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(second.locator('.side-new')).toHaveText('新建会话');
  await ui.reload();
  await expect(ui.locator('.settings h1')).toHaveText('设置');
  expect(await theme(ui)).toBe('dark');
  const again = await app.restart();
  await expect(again.locator('.side-new')).toHaveText('新建会话');
  expect(await theme(again)).toBe('dark');
  expect(read(fileOf(app))).toMatchObject({ window: { theme: 'dark', language: 'zh', welcomed: true } });
});

test.describe('with a system that is dark', () => {
  test.use({ colorScheme: 'dark' });

  test('a window that follows the system is dark, until it is told otherwise', async ({ ui }) => {
    expect(await theme(ui)).toBe('dark');
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

/** A table of forty presets, and the text of a file that lacks a comma in it. */
const FORTY = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`p${at}`, { sandbox: 'read-only', approval: 'ask', label: `Mine ${at}` }]),
);
const MALFORMED = `{ "window": { "welcomed": true }\n  "presets": ${JSON.stringify(FORTY)} }`;

test.describe('with forty presets of one’s own', () => {
  test.use({ settings: { window: { welcomed: true }, presets: FORTY } });

  test('7-b: a malformed file is not written over by a change of the theme, unless the person says so', async ({
    app,
    ui,
  }) => {
    const file = fileOf(app);
    await openSettings(ui);
    writeFileSync(file, MALFORMED);
    await expect(ui.locator('.notice.error')).toContainText(/settings\.json:2:\d+/);
    await pick(ui, 'Dark');
    await expect(dialog(ui)).toContainText('nothing was written');
    await expect(dialog(ui)).toContainText(/settings\.json:2:\d+/);
    await expect(dialog(ui).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await ui.keyboard.press('Escape');
    await expect(dialog(ui)).toBeHidden();
    expect(readFileSync(file, 'utf8')).toBe(MALFORMED);
    expect(await theme(ui)).toBe('light');

    await pick(ui, 'Dark');
    await dialog(ui).getByRole('button', { name: 'Replace the file' }).click();
    await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(ui.locator('.problem')).toBeHidden();
    expect(read(file)).toEqual({ window: { welcomed: true, theme: 'dark' }, presets: FORTY });
    const [kept = ''] = readdirSync(app.home).filter((name) => name.startsWith('settings.json.broken-'));
    expect(readFileSync(join(app.home, kept), 'utf8')).toBe(MALFORMED);
    await expect(ui.locator('.preset-row')).toHaveCount(40);
  });
});

const TWO = {
  window: { welcomed: true },
  presets: {
    p1: { sandbox: 'read-only', approval: 'ask', label: 'One', description: 'The first.' },
    wide: { sandbox: 'workspace-write', approval: 'ask', label: 'Wide', description: '' },
  },
};

test.describe('with presets of one’s own', () => {
  test.use({ settings: TWO });

  const rowOf = (page: Page, name: string): Locator => page.locator(`[data-preset="${name}"]`);

  async function rename(page: Page, name: string, label: string): Promise<void> {
    await rowOf(page, name)
      .getByRole('button', { name: /^Rename/ })
      .click();
    await rowOf(page, name).getByLabel('Label').fill(label);
  }

  function editOutside(file: string, presets: object): void {
    const now = read(file) as typeof TWO;
    writeFileSync(file, JSON.stringify({ ...now, presets: { ...now.presets, ...presets } }, null, 2));
  }

  test('7-e: a preset that an editor adds while another is being renamed is kept, and offered within 2 s', async ({
    app,
    ui,
  }) => {
    const file = fileOf(app);
    await openSettings(ui);
    await rename(ui, 'p1', 'Uno');
    editOutside(file, { p2: { sandbox: 'read-only', approval: 'never', label: 'Two' } });
    await rowOf(ui, 'p1').getByRole('button', { name: 'Save' }).click();
    await expect(rowOf(ui, 'p1').locator('strong')).toHaveText('Uno');
    await expect(rowOf(ui, 'p2')).toContainText('Two', { timeout: 2_000 });
    await expect(dialog(ui)).toBeHidden();
    expect(read(file)).toMatchObject({
      presets: { p1: { label: 'Uno' }, p2: { label: 'Two' }, wide: TWO.presets.wide },
    });
    await ui.locator('.side-new').click();
    await ui.locator('#new-preset[role="combobox"]').click();
    await expect(ui.getByRole('option', { name: 'Two' })).toBeVisible();
  });

  for (const when of ['seen', 'not seen yet'])
    test(`7-e: a preset that was changed outside too, ${when}, is written by nobody before the choice`, async ({
      app,
      ui,
    }) => {
      const file = fileOf(app);
      await openSettings(ui);
      await rename(ui, 'p1', 'Mine');
      editOutside(file, { p1: { ...TWO.presets.p1, label: 'Theirs' } });
      const outside = readFileSync(file, 'utf8');
      const save = rowOf(ui, 'p1').getByRole('button', { name: 'Save' });
      if (when === 'seen') await expect(rowOf(ui, 'p1').locator('strong')).toHaveText('Theirs');
      await save.click();
      await expect(dialog(ui)).toContainText('changed elsewhere');
      await expect(dialog(ui)).toContainText('Theirs');
      expect(readFileSync(file, 'utf8')).toBe(outside);
      await dialog(ui).getByRole('button', { name: 'Cancel' }).click();
      await expect(rowOf(ui, 'p1').getByLabel('Label')).toHaveValue('Mine');
      expect(readFileSync(file, 'utf8')).toBe(outside);

      await save.click();
      await dialog(ui).getByRole('button', { name: 'Reload' }).click();
      await expect(rowOf(ui, 'p1').getByLabel('Label')).toHaveValue('Theirs');
      expect(readFileSync(file, 'utf8')).toBe(outside);
      await rowOf(ui, 'p1').getByLabel('Label').fill('Both');
      await save.click();
      await expect(rowOf(ui, 'p1').locator('strong')).toHaveText('Both');
      expect(read(file)).toMatchObject({ presets: { p1: { label: 'Both', description: 'The first.' } } });
    });

  test('7-e: one’s own words are written over an outside change when the person chooses so', async ({ app, ui }) => {
    const file = fileOf(app);
    await openSettings(ui);
    await rename(ui, 'p1', 'Mine');
    editOutside(file, { p1: { ...TWO.presets.p1, label: 'Theirs', approval: 'never' } });
    await rowOf(ui, 'p1').getByRole('button', { name: 'Save' }).click();
    await dialog(ui).getByRole('button', { name: 'Write mine' }).click();
    await expect(rowOf(ui, 'p1').locator('strong')).toHaveText('Mine');
    // What the form does not hold stays as the editor left it.
    expect(read(file)).toMatchObject({ presets: { p1: { label: 'Mine', approval: 'never' } } });
  });

  test('the default preset is that of the next Session; full access is asked about first', async ({
    app,
    ui,
    door,
    workspace,
  }) => {
    await openSettings(ui);
    // The file names none, and the built-in one is not in this table.
    const field = ui.locator('#default-preset[role="combobox"]');
    await field.click();
    await ui.getByRole('option', { name: 'Wide' }).click();
    await expect(field).toHaveText('Wide');
    expect(read(fileOf(app))).toMatchObject({ defaultPreset: 'wide' });
    await door.request('session.create', { workspace, title: 'Next' });
    expect((await door.request('session.list', {})).sessions).toMatchObject([{ preset: 'wide' }]);
    editOutside(fileOf(app), { all: { sandbox: 'danger-full-access', approval: 'never', label: 'All' } });
    await field.click();
    await ui.getByRole('option', { name: 'All' }).click();
    await expect(dialog(ui)).toContainText('every Session that is made from now on');
    await ui.keyboard.press('Escape');
    await expect(field).toHaveText('Wide');
    expect(read(fileOf(app))).toMatchObject({ defaultPreset: 'wide' });
  });
});

test('a mistake in the file is named with its place for as long as it is there', async ({ app, ui }) => {
  const file = fileOf(app);
  await openSettings(ui);
  writeFileSync(file, '{\n  "window": { "welcomed": true },\n  "defaultPreset": 7\n}');
  const problem = ui.locator('.notice.error');
  await expect(problem).toContainText(/settings\.json:3:\d+: defaultPreset/, { timeout: 2_000 });
  await expect(ui.locator('.problem')).toContainText('nothing is written');
  await ui.getByRole('button', { name: 'Check again' }).click();
  await expect(ui.locator('[data-check="settings"]')).toHaveAttribute('data-ok', 'false');
  writeFileSync(file, '{ "window": { "welcomed": true, "theme": "dark" } }');
  await expect(problem).toBeHidden({ timeout: 2_000 });
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
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

test('what is written in the settings survives every change that the window makes', async ({ app, ui }) => {
  const file = fileOf(app);
  writeFileSync(file, JSON.stringify({ window: { welcomed: true, later: 1 }, myOwnKey: { deep: [1, 2] } }));
  await openSettings(ui);
  await pick(ui, 'Dark');
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
  await ui.getByRole('checkbox', { name: /^Tell me/ }).click();
  await expect
    .poll(() => read(file))
    .toEqual({
      window: { welcomed: true, later: 1, theme: 'dark', notifications: false },
      myOwnKey: { deep: [1, 2] },
    });
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
