import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { dialog, fileOf, openSettings, pick, read, themeOf } from './fixtures/settings.ts';
import { expect, test } from './fixtures/test.ts';

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
    expect(await themeOf(ui)).toBe('light');

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
