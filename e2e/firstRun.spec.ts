import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axe } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';
import { findChromium } from './standin/chromium.ts';

// The first start on a machine: nothing is set, and nothing has to be filled in.

test.use({ settings: {} });

const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

async function toStep(page: Page, step: number): Promise<void> {
  for (let at = 1; at < step; at += 1) await button(page, 'Next').click();
  await expect(page.getByText(`Step ${step} of 3`)).toBeVisible();
}

test('the first start opens the first steps, with what this machine can do found by trying it', async ({
  ui,
  door,
}) => {
  await expect(heading(ui)).toHaveText('What this machine can do');
  await expect(ui.getByText('Step 1 of 3')).toBeVisible();
  const { checks } = await door.request('doctor.run', {});
  for (const { name, ok, message } of checks) {
    const row = ui.locator(`[data-check="${name}"]`);
    await expect(row).toHaveAttribute('data-ok', String(ok));
    await expect(row).toContainText(message);
  }
  await expect(ui.locator('[data-mode="read-only"]')).toContainText('confined');
  await expect(ui.locator('[data-mode="danger-full-access"]')).toContainText('never confined');
  await expect(ui.getByText('Reads are not restricted in any Mode')).toBeVisible();
});

test('Next and Back go through the three screens, and the focus goes with them', async ({ ui }) => {
  await button(ui, 'Next').click();
  await expect(heading(ui)).toHaveText('Who works');
  await expect(heading(ui)).toBeFocused();
  await expect(ui.getByText('cannot be connected in this version')).toBeVisible();
  await button(ui, 'Next').click();
  await expect(heading(ui)).toHaveText('Where, and how far');
  await expect(ui.getByText('Nothing to fill in.')).toBeVisible();
  await button(ui, 'Back').click();
  await button(ui, 'Back').click();
  await expect(heading(ui)).toHaveText('What this machine can do');
  await expect(heading(ui)).toBeFocused();
});

for (const step of [1, 2, 3])
  test(`the demo starts from screen ${step}, runs, and the first steps do not come back`, async ({ app, ui, door }) => {
    await toStep(ui, step);
    await ui
      .getByRole('main')
      .getByRole('button', { name: /^Start the demo/ })
      .click();
    await expect(heading(ui)).toHaveText('Offline demo');
    await expect(ui.locator('[data-region="transcript"]')).toContainText('Hello! I am a script');
    await expect(ui.locator('[data-region="drawer"]')).toBeHidden();
    await expect(ui.locator('#composer')).not.toBeFocused();
    const { sessions } = await door.request('session.list', {});
    const [demo] = sessions;
    await expect.poll(() => readFileSync(join(demo?.workspace ?? '', 'notes.md'), 'utf8')).toContain('offline demo');
    expect(sessions).toHaveLength(1);
    await door.request('session.stop', { sessionId: demo?.sessionId ?? ('' as never) });
    expect((await door.request('settings.get', {})).settings).toMatchObject({ window: { welcomed: true } });
    const again = await app.restart();
    await expect(heading(again)).toHaveText('Sessions');
  });

test('skipped, it does not come back with the next window, and stands in the palette', async ({ ui, openWindow }) => {
  await button(ui, 'Skip').click();
  await expect(heading(ui)).toHaveText('Sessions');
  const second = await openWindow();
  await expect(heading(second)).toHaveText('Sessions');
  await second.keyboard.press('Control+k');
  await expect(second.getByRole('combobox', { name: 'Type a command or a Session' })).toBeFocused();
  await second.keyboard.type('first');
  await second.keyboard.press('Enter');
  await expect(heading(second)).toHaveText('What this machine can do');
});

test('a script of one’s own ends in its Session, ready to be told what to do', async ({
  ui,
  door,
  folder,
  workspace,
}) => {
  const script = join(folder, 'mine.json');
  writeFileSync(script, '{"answers": [{"text": "Hello from the file."}]}');
  await toStep(ui, 2);
  await ui.getByRole('radio', { name: /^Script file/ }).check();
  await ui.getByLabel('Path of the script').fill(script);
  await button(ui, 'Next').click();
  await expect(button(ui, 'Start the demo now')).toBeVisible();
  await ui.getByLabel('Folder', { exact: true }).fill(workspace);
  await button(ui, 'Start Session').click();
  await expect(ui.locator('#composer')).toBeFocused();
  await ui.keyboard.type('Go');
  await ui.keyboard.press('Enter');
  await expect(ui.locator('[data-region="transcript"]')).toContainText('Hello from the file.');
  expect((await door.request('settings.get', {})).settings).toMatchObject({ window: { welcomed: true } });
});

test('a settings file that cannot be read bars nobody from the first steps, and is left as it is', async ({
  app,
  ui,
}) => {
  const file = join(app.home, 'settings.json');
  writeFileSync(file, '{ "presets": ');
  await expect(ui.locator('.notice.error')).toContainText('settings.json:1:');
  await button(ui, 'Skip').click();
  await expect(heading(ui)).toHaveText('Sessions');
  expect(readFileSync(file, 'utf8')).toBe('{ "presets": ');
});

test.describe('without bubblewrap', () => {
  test.use({
    variables: async ({ folder }, use) => {
      const path = join(folder, 'bin');
      mkdirSync(path);
      const programs = { node: process.execPath, 'chromium-headless-shell': findChromium(), 'apt-get': '/bin/true' };
      for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(path, name));
      // No login shell knows of another folder either.
      await use({ PATH: path, SHELL: '/bin/false' });
    },
  });

  test('the one command that installs it is named, and no Mode is said to be confined', async ({ ui }) => {
    const row = ui.locator('[data-check="bubblewrap"]');
    await expect(row).toHaveAttribute('data-ok', 'false');
    await expect(row).toContainText('apt-get install bubblewrap');
    await expect(ui.getByRole('alert').filter({ hasText: 'Nothing confined runs' })).toBeVisible();
    for (const mode of ['read-only', 'workspace-write']) {
      await expect(ui.locator(`[data-mode="${mode}"]`)).toHaveAttribute('data-enforced', 'none');
      await expect(ui.locator(`[data-mode="${mode}"]`)).toContainText('are refused');
    }
    await expect(button(ui, 'Next')).toBeVisible();
  });
});

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { theme, language } } });

      test('axe finds nothing in the three screens', async ({ ui }) => {
        await expect(ui.locator('[data-check="node"]')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
        await ui.locator('.welcome .primary').click();
        await ui.getByRole('radio').last().check();
        expect(await axe(ui)).toEqual([]);
        await ui.locator('.welcome .primary').click();
        await expect(ui.locator('#new-folder')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
        await ui.locator('.welcome-buttons .button').first().click();
        await ui.getByRole('radio').first().check();
        await ui.locator('.welcome .primary').click();
        await expect(ui.locator('.demo-story')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });

for (const [size, viewport] of Object.entries({
  'at 900 × 600': { width: 900, height: 600 },
  'at twice the zoom': { width: 700, height: 450 },
}))
  test(`what leads on is always in sight ${size}`, async ({ ui }) => {
    await ui.setViewportSize(viewport);
    for (const name of ['Next', 'Start the demo now', 'Skip'])
      await expect(button(ui, name)).toBeInViewport({ ratio: 1 });
    await expect(ui.locator('[data-mode="danger-full-access"]')).toBeAttached();
    await ui.locator('.page').evaluate((page) => page.scrollTo(0, page.scrollHeight));
    await expect(ui.getByText('Reads are not restricted in any Mode')).toBeInViewport();
    await expect(button(ui, 'Next')).toBeInViewport({ ratio: 1 });
  });
