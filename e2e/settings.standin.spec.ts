import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/test.ts';

test.describe('with a keyring', () => {
  test.use({ variables: { ELECTRON_STANDIN_KEYRING: 'the key of a keyring' } });

  test('9-g: a secret needs no agreement, and its text is in no file of ours', async ({ app, ui }) => {
    const secret = 'hush-51c0de';
    await ui.locator('.side-foot').click();
    const row = ui.locator('[data-secret="webhook"]');
    await expect(row).toContainText('keychain');
    await row.getByRole('button', { name: 'Set…' }).click();
    await expect(row.getByRole('checkbox')).toHaveCount(0);
    await row.getByLabel('Value').fill(secret);
    await ui.keyboard.press('Enter');
    await expect(row.locator('.tag')).toHaveText('stored');
    const again = await app.restart();
    await again.locator('.side-foot').click();
    await expect(again.locator('[data-secret="webhook"] .tag')).toHaveText('stored');
    const files = readdirSync(app.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'latin1'), name).not.toContain(secret);
  });
});

test('notes need no permission of a browser', async ({ ui }) => {
  await ui.locator('.side-foot').click();
  await expect(ui.getByRole('checkbox', { name: /^Tell me/ })).toBeChecked();
  await expect(ui.getByText('The browser')).toHaveCount(0);
});
