import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';

// What a person should know that is no event of one call stands at the top, in words, and is never in the way.

test('an error stays for as long as it holds, cannot be dismissed, and goes when it is over', async ({ ui, home }) => {
  const notices = ui.getByRole('list', { name: 'Notices' });
  await expect(notices).toHaveCount(0);
  writeFileSync(join(home, 'settings.json'), '{ "window": ');
  await expect(notices.getByRole('listitem')).toContainText(/Error.*settings\.json/);
  await expect(notices.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
  expect(await axe(ui)).toEqual([]);
  writeFileSync(join(home, 'settings.json'), '{ "window": { "welcomed": true } }');
  await expect(notices).toHaveCount(0);
});

test.describe('with a default preset that is gone', () => {
  test.use({ settings: { window: { welcomed: true }, defaultPreset: 'mine' } });

  test('a warning is shown until it is dismissed', async ({ ui, session }) => {
    await session({ script: [{ text: 'Done.' }] });
    const warning = ui.getByRole('list', { name: 'Notices' }).getByRole('listitem');
    await expect(warning).toContainText(/Warning.*The default preset "mine" is gone/);
    await warning.getByRole('button', { name: 'Dismiss' }).click();
    await expect(warning).toHaveCount(0);
  });
});
