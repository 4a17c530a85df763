import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures/test.ts';

// From the first start to a cleaned up switch without a pointer: what is not reached by keys is not reached here.

test.use({ settings: {} });

/** Tab until this has the focus; it is an error when it never comes. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} is not reached by Tab`);
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

test('a Session is made, told, allowed, switched and cleaned up by keys alone', async ({
  ui,
  door,
  folder,
  workspace,
}) => {
  const script = join(folder, 'script.json');
  const outside = join(folder, 'outside.txt');
  const escalate = { to: 'danger-full-access', justification: 'To show it.' };
  const code = 'setInterval(() => {}, 1000); await new Promise(() => {})';
  writeFileSync(
    script,
    JSON.stringify({
      answers: [
        { calls: [{ id: 'c1', tool: 'bash', input: { command: `echo allowed > ${outside}`, escalate } }] },
        { calls: [{ id: 'c2', tool: 'run_code', input: { title: 'wait', code } }] },
        { text: 'Over.' },
      ],
    }),
  );

  await tabTo(ui, ui.getByRole('button', { name: 'Skip' }));
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Sessions');
  await ui.keyboard.press('Control+Shift+O');
  await write(ui, 'Folder', workspace);
  await tabTo(ui, ui.getByRole('radio', { name: /^Offline demo/ }));
  await ui.keyboard.press('ArrowDown');
  await write(ui, 'Path of the script', script);
  await write(ui, 'Title', 'By keys');
  await ui.keyboard.press('Enter');

  await expect(ui.locator('#composer')).toBeFocused();
  await ui.keyboard.type('Go');
  await ui.keyboard.press('Enter');
  const question = ui.locator('[data-region="approval"] [data-approval]');
  await expect(question).toHaveAttribute('data-armed', 'true');
  await expect(ui.locator('#composer')).toBeFocused();
  await ui.keyboard.press('Control+Shift+A');
  await ui.keyboard.press('Alt+A');
  await expect(question).toBeHidden({ timeout: 15_000 });

  const { sessions } = await door.request('session.list', {});
  const sessionId = sessions[0]?.sessionId ?? ('' as never);
  await expect
    .poll(async () => (await door.request('environment.list', { sessionId })).environments, { timeout: 15_000 })
    .toHaveLength(1);
  await ui.keyboard.press('Control+Shift+P');
  await expect(ui.locator('#preset-select')).toBeFocused();
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('option', { name: 'Workspace write' })).toBeFocused();
  await ui.keyboard.press('ArrowUp');
  await ui.keyboard.press('Enter');
  await expect(ui.locator('#preset-select')).toHaveText('Read only');
  await ui.keyboard.press('Control+Shift+L');
  const row = ui.locator('[data-region="drawer"] [data-cleanup]');
  await expect(row).toHaveAttribute('data-phase', 'released', { timeout: 15_000 });
  await ui.keyboard.press('F6');
  await tabTo(ui, ui.getByRole('tab', { name: 'Cleanup' }));
  await ui.keyboard.press('ArrowRight');
  await expect(ui.getByRole('tab', { name: 'Environments' })).toHaveAttribute('aria-selected', 'true');
  await ui.keyboard.press('ArrowLeft');
  await tabTo(ui, row.getByRole('button', { name: /the Mode changed: event/ }));
  await ui.keyboard.press('Enter');
  await expect(ui.locator('[data-region="transcript"] :focus')).toContainText('Workspace write → Read only');
  await expect(ui.locator('[data-region="transcript"]')).toContainText('Over.');
});
