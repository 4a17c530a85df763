import { axe } from './fixtures/axe.ts';
import { danger, RUNS_ON, running, selector } from './fixtures/presets.ts';
import { ASKS, HELD } from './fixtures/states.ts';
import { expect, test } from './fixtures/test.ts';

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing in sidebar, header, selector, dialog and composer', async ({ ui, session }) => {
        test.setTimeout(60_000);
        await session({ script: HELD, title: 'Held', prompt: 'Go', preset: 'danger-full-access' });
        await session({ script: ASKS, title: 'Asks', prompt: 'Go' });
        const made = await session({ script: RUNS_ON, title: 'Runs', prompt: 'Go' });
        await running(made);
        await ui.locator('#composer').fill('queued');
        await ui.locator('#composer').press('Enter');
        await expect(ui.locator('.queued li')).toHaveCount(1);
        expect(await axe(ui)).toEqual([]);
        await selector(ui).click();
        await expect(ui.getByRole('option')).toHaveCount(3);
        expect(await axe(ui)).toEqual([]);
        await ui.getByRole('option').last().click();
        await expect(danger(ui)).toContainText(/pid|进程号/);
        expect(await axe(ui)).toEqual([]);
        await ui.keyboard.press('Escape');
        await selector(ui).click();
        await ui.getByRole('option').first().click();
        await expect(ui.locator('[data-outcome="recorded"]')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });
