import { expect, test } from './fixtures/test.ts';

test('a message that was not recorded comes back before what was typed since, with the reason', async ({
  app,
  ui,
  session,
}) => {
  await session({ script: [{ text: 'Done.' }] });
  const field = ui.locator('#composer');
  await app.kill();
  await field.fill('Do it');
  await field.press('Enter');
  await expect(ui.getByText(/^Not sent: .*Your text is still here\.$/)).toBeVisible();
  await expect(field).toHaveValue('Do it');
});

test('a switch whose answer did not come is told as not confirmed', async ({ app, ui, session }) => {
  await session({ script: [{ text: 'Done.' }] });
  const selector = ui.getByRole('combobox', { name: 'Preset' });
  await selector.click();
  await app.kill();
  await ui.getByRole('option', { name: 'Read only' }).click();
  await expect(ui.locator('[data-outcome="failed"]')).toContainText('Not confirmed');
  await expect(selector).toHaveText('Workspace write');
});
