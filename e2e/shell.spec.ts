import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ASKS, failedSession, HELD } from './fixtures/states.ts';
import { choose, RUNS_DEAF, untilDeaf } from './fixtures/presets.ts';
import { expect, test } from './fixtures/test.ts';

const line = (page: Page, title: string): Locator => page.getByRole('treeitem', { name: title });
const place = (page: Page, name: string): Locator => page.locator('.places').getByRole('button', { name });

test('Sessions stand by folder, those at work first, each with its state as a word', async ({
  ui,
  session,
  door,
  folder,
}) => {
  const elsewhere = join(folder, 'website');
  mkdirSync(elsewhere);
  await failedSession({ door, folder, workspace: elsewhere, title: 'Failing' });
  await session({ script: [{ text: 'Done.' }], title: 'Idling', workspace: elsewhere });
  await session({ script: HELD, title: 'Running', prompt: 'Go' });
  await session({ script: ASKS, title: 'Waiting', prompt: 'Go' });
  await expect(line(ui, 'Waiting')).toContainText('waiting: one program, full access');
  await expect(line(ui, 'Waiting')).toHaveAttribute('data-state', 'waiting');
  await expect(line(ui, 'Running').locator('.line-sub')).toHaveText('running');
  await expect(line(ui, 'Failing').locator('.line-sub')).toHaveText('failed');
  await expect(line(ui, 'Idling').locator('.line-sub')).toHaveText('idle');
  await expect(line(ui, 'Waiting')).toHaveAttribute('aria-selected', 'true');
  const groups = ui.locator('[role="treeitem"][aria-level="1"]');
  await expect(groups).toHaveText(['project', 'website']);
});

test('a closed folder shows the strongest state of what it hides', async ({ ui, session }) => {
  await session({ script: HELD, title: 'Running', prompt: 'Go' });
  await session({ script: ASKS, title: 'Waiting', prompt: 'Go' });
  await expect(line(ui, 'Waiting')).toContainText('waiting:');
  const folder = line(ui, 'project');
  await folder.click();
  await expect(folder).toHaveAttribute('aria-expanded', 'false');
  await expect(folder).toHaveText('projectwaiting · 2 Sessions');
  await expect(line(ui, 'Running')).toBeHidden();
  await folder.click();
  await expect(line(ui, 'Running')).toBeVisible();
});

test('the list is walked and opened with the keyboard alone', async ({ ui, session }) => {
  await session({ script: [], title: 'Alpha' });
  await session({ script: [], title: 'Beta' });
  await expect(line(ui, 'Alpha')).toBeVisible();
  await ui.locator('#session-search').focus();
  await ui.keyboard.press('Tab');
  await expect(line(ui, 'Beta')).toBeFocused();
  await ui.keyboard.press('ArrowDown');
  await expect(line(ui, 'Alpha')).toBeFocused();
  await ui.keyboard.press('Enter');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Alpha');
  await ui.keyboard.press('ArrowLeft');
  await expect(line(ui, 'project')).toBeFocused();
  await ui.keyboard.press('ArrowLeft');
  await expect(line(ui, 'project')).toHaveAttribute('aria-expanded', 'false');
  await ui.keyboard.press('ArrowRight');
  await ui.keyboard.press('End');
  await expect(line(ui, 'Alpha')).toBeFocused();
  await ui.keyboard.press('Home');
  await expect(line(ui, 'project')).toBeFocused();
});

test('search finds by title and by folder, and Escape takes it back', async ({ ui, session, folder }) => {
  const elsewhere = join(folder, 'website');
  mkdirSync(elsewhere);
  await session({ script: [], title: 'Parser' });
  await session({ script: [], title: 'Pages', workspace: elsewhere });
  const search = ui.locator('#session-search');
  await search.fill('pars');
  await expect(ui.getByRole('treeitem', { level: 2 })).toHaveText([/^Parser/]);
  await search.fill('WEBSITE');
  await expect(ui.getByRole('treeitem', { level: 2 })).toHaveText([/^Pages/]);
  await search.fill('nothing of the kind');
  await expect(ui.getByText('No Session has that in its title or folder.')).toBeVisible();
  await search.press('Escape');
  await expect(ui.getByRole('treeitem', { level: 2 })).toHaveCount(2);
});

test('the places count what waits and what is being cleaned up', async ({ ui, session }) => {
  const asking = await session({ script: ASKS, prompt: 'Go' });
  await asking.until('approval/asked');
  await expect(place(ui, 'Approvals')).toContainText('1 waits for you');
  const deaf = await session({ script: RUNS_DEAF, prompt: 'Go' });
  await untilDeaf(deaf);
  await choose(ui, 'Read only');
  await expect(place(ui, 'Cleanup')).toContainText('1 being cleaned up');
  await deaf.until('cleanup/ended');
  await expect(place(ui, 'Cleanup')).toHaveText('Cleanup');
  await place(ui, 'Approvals').click();
  await expect(place(ui, 'Approvals')).toHaveAttribute('aria-current', 'page');
});

test('of two hundred Sessions only those on screen are drawn, and each can be reached', async ({
  ui,
  door,
  workspace,
}) => {
  test.setTimeout(60_000);
  for (let at = 0; at < 200; at += 1) await door.request('session.create', { workspace, title: `Session ${at}.` });
  await expect(line(ui, 'Session 199.')).toBeVisible();
  expect(await ui.getByRole('treeitem').count()).toBeLessThan(60);
  await line(ui, 'Session 199.').focus();
  await ui.keyboard.press('End');
  await expect(line(ui, 'Session 0.')).toBeFocused();
  await expect(line(ui, 'Session 0.')).toBeInViewport();
  await expect(line(ui, 'Session 0.')).toHaveAttribute('aria-setsize', '200');
});
