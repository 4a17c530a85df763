import type { Page } from '@playwright/test';
import { asking, onePending, Question } from './fixtures/approval.ts';
import { gainFocus, loseFocus } from './fixtures/focus.ts';
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

declare global {
  interface Window {
    /** Titles of the notifications that this window shows, and of all that it ever showed. */
    notes: { standing: string[]; all: string[] };
  }
}

test('9-e: with three windows each event is one notification of one of them, taken back with the answer', async ({
  ui,
  door,
  session,
  openWindow,
}) => {
  const windows = [ui, await openWindow(), await openWindow()];
  for (const page of windows) await recordNotifications(page);
  const notes = async (which: 'standing' | 'all') =>
    (await Promise.all(windows.map((page) => page.evaluate((key) => window.notes[key], which)))).flat();
  const finished = await session({ title: 'Finished', script: [{ text: 'Done.' }], prompt: 'Go' });
  await finished.until('turn/end');
  await expect.poll(() => notes('standing')).toEqual([expect.stringContaining('Finished')]);
  const made = await session({
    title: 'Asking',
    script: [{ calls: [asking('c1', 'echo secret-word')] }, { await: 'never', text: 'Done.' }],
    prompt: 'Go',
  });
  const { approvalId } = await onePending(door);
  await expect.poll(() => notes('standing')).toHaveLength(2);
  expect((await notes('standing')).join()).not.toContain('secret-word');
  for (const page of windows) {
    await made.open(page);
    await gainFocus(page);
    await new Question(page, approvalId).untilArmed();
  }
  await new Question(windows[1] ?? ui, approvalId).deny.click();
  for (const page of [ui, windows[2] ?? ui]) {
    await new Question(page, approvalId).expectEnded('answered in another window', 1_000);
  }
  await expect.poll(() => notes('standing'), { timeout: 1_000 }).toEqual([expect.stringContaining('Finished')]);
  expect(await notes('all')).toHaveLength(2);
});

/** The person has allowed them and is at another program. */
async function recordNotifications(page: Page): Promise<void> {
  await loseFocus(page);
  await page.evaluate(() => {
    const notes: Window['notes'] = { standing: [], all: [] };
    window.notes = notes;
    window.Notification = class extends EventTarget {
      static readonly permission = 'granted';
      readonly title: string;
      constructor(title: string) {
        super();
        this.title = title;
        notes.standing.push(title);
        notes.all.push(title);
      }
      close(): void {
        notes.standing.splice(notes.standing.indexOf(this.title), 1);
      }
    } as unknown as typeof Notification; // as much of it as the window uses
  });
}
