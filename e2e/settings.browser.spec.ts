import { expect, test } from './fixtures/test.ts';

test('the browser is asked for its permission on the click that wants notes, and what it says is shown', async ({
  ui,
}) => {
  await ui.addInitScript(() => {
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = () => Promise.resolve((permission = 'granted'));
  });
  await ui.reload();
  await ui.locator('.side-foot').click();
  const says = ui.getByRole('status').filter({ hasText: 'The browser' });
  await expect(says).toContainText('has not been asked yet');
  const notes = ui.getByRole('checkbox', { name: /^Tell me/ });
  await notes.click();
  await expect(notes).not.toBeChecked();
  await expect(says).toBeHidden();
  await notes.click();
  await expect(notes).toBeChecked();
  await expect(says).toContainText('lets Gatehouse show notes');
});

test.describe('with a system that is Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('a window that follows the system speaks Chinese, until it is told otherwise', async ({ ui }) => {
    await expect(ui.locator('.side-new')).toHaveText('新建会话');
    await ui.locator('.side-foot').click();
    await ui.locator('.segment', { hasText: 'English' }).click();
    await expect(ui.locator('.settings h1')).toHaveText('Settings');
    await ui.reload();
    await expect(ui.locator('.side-new')).toHaveText('New Session');
  });
});

test('a window that follows the system changes with it', async ({ ui }) => {
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'light');
  await ui.emulateMedia({ colorScheme: 'dark' });
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'dark');
  await ui.emulateMedia({ colorScheme: 'light' });
  await expect(ui.locator('html')).toHaveAttribute('data-theme', 'light');
});
