import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axe } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';

const folderField = (page: Page) => page.getByLabel('Folder', { exact: true });
const presetField = (page: Page) => page.locator('#new-preset[role="combobox"]');
const scriptField = (page: Page) => page.getByLabel('Path of the script');
const titleField = (page: Page) => page.getByLabel('Title', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Create Session' });

async function openForm(page: Page): Promise<void> {
  await page.locator('.side').getByRole('button', { name: 'New Session' }).click();
  await expect(folderField(page)).toBeVisible();
}

async function choosePreset(page: Page, name: string): Promise<void> {
  await presetField(page).click();
  await page.getByRole('option', { name }).click();
}

test('made, the Session is what was filled in, and the composer has the focus', async ({ ui, door, workspace }) => {
  await openForm(ui);
  await folderField(ui).fill(workspace);
  await choosePreset(ui, 'Read only');
  await titleField(ui).fill('Look around');
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Look around');
  await expect(ui.locator('#composer')).toBeFocused();
  const { sessions } = await door.request('session.list', {});
  expect(sessions).toMatchObject([{ title: 'Look around', workspace, preset: 'read-only' }]);
  await openForm(ui);
  await expect(folderField(ui)).toHaveValue('');
  await expect(titleField(ui)).toHaveValue('');
});

test('each mistake is said at its field, which gets the focus, and nothing typed is lost', async ({
  ui,
  door,
  folder,
  workspace,
}) => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"answers": [{}, {"calls": [{"id": "a", "tool": 1, "input": {}}]}]}');
  await openForm(ui);
  await titleField(ui).fill('Careful');
  await ui.getByRole('radio', { name: /^Script file/ }).check();
  await scriptField(ui).fill(broken);

  await submit(ui).click();
  await expect(folderField(ui)).toBeFocused();
  await expect(folderField(ui)).toHaveAccessibleDescription(/Name the folder/);
  await folderField(ui).fill('project');
  await submit(ui).click();
  await expect(folderField(ui)).toHaveAccessibleDescription(/whole path/);
  await folderField(ui).fill(join(folder, 'nowhere'));
  await submit(ui).click();
  await expect(folderField(ui)).toHaveAccessibleDescription(/There is no folder .*nowhere/);
  await expect(folderField(ui)).toBeFocused();
  await folderField(ui).fill(workspace);
  await expect(folderField(ui)).not.toHaveAccessibleDescription(/nowhere/);

  await submit(ui).click();
  await expect(scriptField(ui)).toHaveAccessibleDescription(/answers\[1\]\.calls\[0\]\.tool/);
  await expect(scriptField(ui)).toBeFocused();
  await expect(folderField(ui)).toHaveValue(workspace);
  await expect(scriptField(ui)).toHaveValue(broken);
  await expect(titleField(ui)).toHaveValue('Careful');
  expect((await door.request('session.list', {})).sessions).toEqual([]);

  writeFileSync(broken, '{"answers": [{"text": "Repaired."}]}');
  await submit(ui).click();
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Careful');
});

test('a dangerous folder is taken only with a person’s word for this very folder', async ({ ui, door, folder }) => {
  await openForm(ui);
  await folderField(ui).fill('/');
  await choosePreset(ui, 'Read only');
  await submit(ui).click();
  const refused = ui.locator('.refused');
  await expect(refused).toContainText('whole file system');
  await submit(ui).click();
  await expect(refused).toBeVisible();
  expect((await door.request('session.list', {})).sessions).toEqual([]);

  const consent = ui.getByRole('checkbox', { name: 'I know, and want to use this folder all the same' });
  await consent.check();
  await folderField(ui).fill(folder);
  await expect(refused).toBeHidden();
  await folderField(ui).fill('/');
  await submit(ui).click();
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Untitled Session');
  expect((await door.request('session.list', {})).sessions).toMatchObject([{ workspace: '/' }]);
});

test('what was typed is there again after another place, and after a reload', async ({ ui, folder }) => {
  await openForm(ui);
  await folderField(ui).fill(folder);
  await titleField(ui).fill('Half of it');
  await choosePreset(ui, 'Read only');
  await ui.getByRole('button', { name: 'Settings' }).click();
  await openForm(ui);
  await expect(titleField(ui)).toHaveValue('Half of it');
  await ui.reload();
  await expect(folderField(ui)).toHaveValue(folder);
  await expect(titleField(ui)).toHaveValue('Half of it');
  await expect(presetField(ui)).toHaveText('Read only');
});

test('full access is asked about first; cancelled, the form keeps what it had', async ({ ui, door, workspace }) => {
  await openForm(ui);
  await folderField(ui).fill(workspace);
  await choosePreset(ui, 'Full access');
  const dialog = ui.getByRole('alertdialog');
  await expect(dialog).toContainText('This applies to the new Session only.');
  await ui.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(presetField(ui)).toHaveText('Workspace write');
  await choosePreset(ui, 'Full access');
  await dialog
    .getByRole('button', { name: 'Start with Full access' })
    .and(ui.locator('[aria-disabled="false"]'))
    .click();
  await expect(presetField(ui)).toHaveText('Full access');
  await submit(ui).click();
  await expect(ui.locator('#composer')).toBeFocused();
  expect((await door.request('session.list', {})).sessions).toMatchObject([{ preset: 'danger-full-access' }]);
});

test('folders that were used before are offered', async ({ ui, session, folder }) => {
  const other = join(folder, 'other');
  mkdirSync(other);
  await session({ script: [{ text: 'Done.' }], workspace: other });
  await openForm(ui);
  await ui.getByRole('group', { name: 'Used before' }).getByRole('button', { name: other }).click();
  await expect(folderField(ui)).toHaveValue(other);
});

test('a preset that goes while the form is open is said at its field', async ({ app, ui, door, workspace }) => {
  const { revision } = await door.request('settings.get', {});
  const extra = { sandbox: 'read-only', approval: 'never', label: 'Quiet' } as const;
  await door.request('settings.set', { revision, changes: { presets: { quiet: extra } } });
  await openForm(ui);
  await folderField(ui).fill(workspace);
  await choosePreset(ui, 'Quiet');
  const { revision: next } = await door.request('settings.get', {});
  await door.request('settings.set', { revision: next, changes: { presets: { quiet: null } } });
  await submit(ui).click();
  await expect(ui.locator('#new-preset-trouble')).toContainText('There is no preset "quiet"');
  await expect(folderField(ui)).toHaveValue(workspace);
  expect((await door.request('session.list', {})).sessions).toEqual([]);
  expect(app.stderr()).not.toContain('quiet');
});

test.describe('with defaults of one’s own', () => {
  test.use({
    settings: async ({ folder }, use) => {
      const local = { [join(folder, 'project')]: { defaultPreset: 'danger-full-access' } };
      await use({ window: { welcomed: true }, defaultPreset: 'read-only', workspaces: local });
    },
  });

  test('the form begins with the default of that folder, and the Session has what the form showed', async ({
    ui,
    door,
    folder,
    workspace,
  }) => {
    await openForm(ui);
    await expect(presetField(ui)).toHaveText('Read only');
    await folderField(ui).fill(workspace);
    await expect(presetField(ui)).toHaveText('Full access');
    await folderField(ui).fill(folder);
    await expect(presetField(ui)).toHaveText('Read only');
    await folderField(ui).fill(workspace);
    await submit(ui).click();
    await expect(ui.locator('#composer')).toBeFocused();
    expect((await door.request('session.list', {})).sessions).toMatchObject([{ preset: 'danger-full-access' }]);
  });
});

test.describe('with a default that is gone', () => {
  test.use({ settings: { window: { welcomed: true }, defaultPreset: 'gone' } });

  test('the narrowest preset stands in for it, and that is said', async ({ ui }) => {
    await openForm(ui);
    await expect(presetField(ui)).toHaveText('Read only');
    await expect(ui.getByText('The default preset “gone” is gone.')).toBeVisible();
  });
});

test('home shows the last Sessions and leads to each, to a new one and to the demo', async ({ ui, session }) => {
  await session({ script: [{ text: 'Done.' }], title: 'Older' });
  await session({ script: [{ text: 'Done.' }], title: 'Newer', prompt: 'Go' });
  await ui.getByRole('button', { name: 'Gatehouse', exact: true }).click();
  const rows = ui.getByRole('list', { name: 'Last worked on' }).getByRole('button');
  await expect(rows).toHaveText([/^Newer/, /^Older/]);
  await rows.last().click();
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Older');
  await ui.getByRole('button', { name: 'Gatehouse', exact: true }).click();
  await ui.getByRole('main').getByRole('button', { name: 'New Session' }).click();
  await expect(folderField(ui)).toBeVisible();
  await ui.getByRole('button', { name: 'Gatehouse', exact: true }).click();
  await ui.getByRole('button', { name: 'Start the demo' }).click();
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Offline demo');
});

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing at home, empty or not, and in the form with its mistakes', async ({ ui, session }) => {
        await expect(ui.locator('.home-empty')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
        await session({ script: [{ text: 'Done.' }] });
        await ui.locator('.brand').click();
        await expect(ui.locator('.home-row')).toHaveCount(1);
        expect(await axe(ui)).toEqual([]);
        await ui.locator('.side-new').click();
        await ui.getByRole('radio').last().check();
        await ui.locator('.form .primary').click();
        await expect(ui.locator('#new-folder-trouble')).not.toBeEmpty();
        expect(await axe(ui)).toEqual([]);
        await ui.locator('#new-script').fill('/s.json');
        await ui.locator('#new-folder').fill('/');
        await ui.locator('.form .primary').click();
        await expect(ui.locator('.refused')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });
