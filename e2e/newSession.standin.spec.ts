import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/test.ts';

test('a folder is chosen in the dialog of the system, and typed over when nothing was chosen', async ({
  ui,
  desktop,
  folder,
}) => {
  await ui.locator('.side').getByRole('button', { name: 'New Session' }).click();
  const field = ui.getByLabel('Folder', { exact: true });
  const choose = ui.getByRole('button', { name: 'Choose folder…' });
  await desktop.chooseFolder(folder);
  await choose.click();
  await expect(field).toHaveValue(folder);
  await desktop.chooseFolder(undefined);
  await choose.click();
  await field.fill(`${folder}/x`);
  await expect(field).toHaveValue(`${folder}/x`);
});

test('a second start with a folder brings the form with it, over what was typed', async ({ ui, desktop, folder }) => {
  await ui.locator('.side').getByRole('button', { name: 'New Session' }).click();
  const field = ui.getByLabel('Folder', { exact: true });
  await field.fill('/something/else');
  const asked = join(folder, 'asked');
  mkdirSync(asked);
  expect(await desktop.startAgain([asked])).toBe(0);
  await expect(field).toHaveValue(asked);
  await field.fill('/my/own');
  await ui.locator('.brand').click();
  await ui.locator('.side').getByRole('button', { name: 'New Session' }).click();
  await expect(field).toHaveValue('/my/own');
});
