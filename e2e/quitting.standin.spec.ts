import type { ElectronApplication, Page } from '@playwright/test';
import type { Rectangle } from 'electron';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asking, onePending, pending, Question } from './fixtures/approval.ts';
import type { Desktop } from './fixtures/desktop.ts';
import { openDoor } from './fixtures/door.ts';
import { isAlive } from './fixtures/processes.ts';
import { storedEvents } from './fixtures/quitting.ts';
import type { TestSession } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

const [KEEP, CANCEL] = [0, 2];

/** It ends by itself as soon as the test lets it, whether a window is open or not. */
const WAITS = [
  {
    calls: [
      { id: 'c1', tool: 'bash', input: { command: 'touch waits; while [ ! -e go ]; do sleep 0.1; done; echo went' } },
    ],
  },
  { text: 'It went on.' },
];

test('to cancel changes nothing: the windows are there, and the turn goes on', async ({
  app,
  ui,
  session,
  openWindow,
  desktop,
}) => {
  await openWindow();
  const made = await session({ title: 'At work', script: WAITS, prompt: 'Go' });
  await untilAtWork(made);
  await desktop.answerMessages(CANCEL);
  await quit(app.electron);
  await expectAsked(desktop, '• At work: running');
  expect(await windowsOf(app.electron)).toBe(2);
  expect(await desktop.trayItems()).toEqual([]);
  writeFileSync(join(made.workspace, 'go'), '');
  expect((await made.until('turn/end')).data.reason).toBe('completed');
  await expect(ui.getByText('It went on.')).toBeVisible();
  expect(app.pages).toHaveLength(2);
});

test('to keep running closes the windows; the turn goes on to its end, and the tray brings a window back', async ({
  app,
  ui,
  session,
  openWindow,
  desktop,
  home,
}) => {
  await openWindow();
  const made = await session({ title: 'At work', script: WAITS, prompt: 'Go' });
  await untilAtWork(made);
  await desktop.answerMessages(KEEP);
  const stood = await moveTo(app.electron, { x: 40, y: 60, width: 900, height: 640 });
  await quit(app.electron);
  await expectAsked(desktop, '• At work: running');
  await expect.poll(() => windowsOf(app.electron)).toBe(0);
  await expect.poll(() => ui.isClosed()).toBe(true);
  expect(isAlive(app.pid)).toBe(true);
  expect(storedEvents(home, made).map(({ type }) => type)).not.toContain('turn/end');

  writeFileSync(join(made.workspace, 'go'), '');
  const ends = () =>
    storedEvents(home, made).flatMap((event) => (event.type === 'turn/end' ? [event.data.reason] : []));
  await expect.poll(ends, { message: 'without a window' }).toEqual(['completed']);

  const [back] = await Promise.all([app.electron.waitForEvent('window'), desktop.pressTray('Open Gatehouse')]);
  await made.open(back);
  await expect(back.getByText('It went on.')).toBeVisible();
  expect(await boundsOf(app.electron), 'it stands where the last one stood').toEqual(stood);
  expect(await desktop.trayItems(), 'a window is the way back now').toEqual([]);
  const door = await openDoor(back);
  expect((await door.request('session.list', {})).sessions).toHaveLength(1);
});

test('a question that waits survives that the program keeps running, and is answered in the window of the tray', async ({
  app,
  door,
  session,
  desktop,
}) => {
  const script = [{ calls: [asking('c1', 'echo allowed')] }, { text: 'Done.' }];
  const made = await session({ title: 'Asking', script, prompt: 'Go' });
  const { approvalId } = await onePending(door);
  await desktop.answerMessages(KEEP);
  await quit(app.electron);
  await expectAsked(desktop, '• Asking: waits for an approval');
  await expect.poll(() => windowsOf(app.electron)).toBe(0);
  const [back] = await Promise.all([app.electron.waitForEvent('window'), desktop.pressTray('Open Gatehouse')]);
  await made.open(back);
  const question = new Question(back, approvalId);
  await question.untilArmed();
  await question.deny.click();
  await question.expectEnded(/^.*Denied/s);
});

test('a click on a notification shows its Session in a focused window, and answers nothing', async ({
  app,
  ui,
  door,
  session,
  desktop,
}) => {
  const script = [{ calls: [asking('c1', 'echo secret-word')] }, { text: 'Done.' }];
  const made = await session({ title: 'Asking', script, prompt: 'Go' });
  const { approvalId } = await onePending(door);
  await session({ title: 'Other', script: [{ text: 'Done.' }] });
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Other');
  await expect.poll(async () => (await desktop.notifications()).map(({ title }) => title)).toEqual(['Approval needed']);
  expect(JSON.stringify(await desktop.notifications())).not.toContain('secret-word');
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());

  await desktop.clickNotification('Asking');
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Asking');
  expect(await frontOf(app.electron)).toEqual([{ minimized: false, focused: true }]);
  await expectPending(ui, approvalId, made);
  expect(await onePending(door)).toMatchObject({ approvalId });
});

test('the badge counts the questions that wait', async ({ ui, door, session, desktop }) => {
  const badges = async () => {
    const counts = (await desktop.calls('app.setBadgeCount')).map(({ args: [count] }) => count);
    return counts.filter((count, at) => count !== counts[at - 1]);
  };
  const script = [{ calls: [asking('c1', 'echo one')] }, { text: 'Done.' }];
  const first = await session({ title: 'First', script, prompt: 'Go' });
  const { approvalId } = await onePending(door);
  await expect.poll(async () => (await badges()).at(-1)).toBe(1);
  const second = await session({ title: 'Second', script, prompt: 'Go' });
  const [, other] = await pending(door, 2);
  await expect.poll(async () => (await badges()).at(-1)).toBe(2);
  await deny(ui, other?.approvalId);
  await second.until('turn/end');
  await expect.poll(async () => (await badges()).at(-1)).toBe(1);
  await first.open(ui);
  await deny(ui, approvalId);
  await first.until('turn/end');
  await expect.poll(async () => (await badges()).filter((count, at) => at > 0 || count !== 0)).toEqual([1, 2, 1, 0]);
});

async function untilAtWork(made: TestSession): Promise<void> {
  await expect.poll(() => existsSync(join(made.workspace, 'waits'))).toBe(true);
}

/** Once, with this in its list. */
async function expectAsked(desktop: Desktop, line: string): Promise<void> {
  const asked = () => desktop.calls('dialog.showMessageBox');
  await expect.poll(async () => (await asked()).length).toBe(1);
  expect((await asked())[0]?.args).toMatchObject([{ detail: expect.stringContaining(line) }]);
}

type Id = Question['id'];

async function expectPending(ui: Page, id: Id, made: TestSession): Promise<void> {
  await new Question(ui, id).untilArmed();
  expect(await made.eventsOf('approval/decided')).toEqual([]);
}

async function deny(ui: Page, id: Id | undefined): Promise<void> {
  if (id === undefined) throw new Error('It waited and is gone');
  const question = new Question(ui, id);
  await question.untilArmed();
  await question.deny.click();
}

/** All windows stand there then. Returns where that is. */
function moveTo(electron: ElectronApplication, bounds: Rectangle): Promise<Rectangle | undefined> {
  return electron.evaluate(({ BrowserWindow }, to) => {
    for (const window of BrowserWindow.getAllWindows()) window.setBounds(to);
    return BrowserWindow.getAllWindows()[0]?.getNormalBounds();
  }, bounds);
}

function boundsOf(electron: ElectronApplication): Promise<Rectangle | undefined> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
}

function windowsOf(electron: ElectronApplication): Promise<number> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
}

function frontOf(electron: ElectronApplication) {
  return electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({ minimized: window.isMinimized(), focused: window.isFocused() })),
  );
}

async function quit(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ app }) => app.quit());
}
