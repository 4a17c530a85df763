import { asking, onePending, Question } from './fixtures/approval.ts';
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

test('9-e: with three windows each event is one notification, and the answer in one window takes it back', async ({
  ui,
  door,
  session,
  openWindow,
  desktop,
}) => {
  const second = await openWindow();
  const third = await openWindow();
  const texts = async () => (await desktop.notifications()).map(({ title, body }) => `${title} ${body}`);
  const shows = async () => (await desktop.calls('Notification.show')).length;
  const finished = await session({ title: 'Finished', script: [{ text: 'Done.' }], prompt: 'Go' });
  await finished.until('turn/end');
  await expect.poll(texts).toEqual([expect.stringContaining('Finished')]);
  const made = await session({
    title: 'Asking',
    script: [{ calls: [asking('c1', 'echo secret-word')] }, { await: 'never', text: 'Done.' }],
    prompt: 'Go',
  });
  const { approvalId } = await onePending(door);
  for (const page of [ui, second, third]) {
    await made.open(page);
    await new Question(page, approvalId).untilArmed();
  }
  await expect.poll(texts).toHaveLength(2);
  expect(await texts()).toEqual([expect.stringContaining('Finished'), expect.stringContaining('Asking')]);
  expect((await texts()).join()).not.toContain('secret-word');
  await new Question(second, approvalId).deny.click();
  for (const page of [ui, third]) await new Question(page, approvalId).expectEnded('answered in another window', 1_000);
  await expect.poll(texts, { timeout: 1_000 }).toEqual([expect.stringContaining('Finished')]);
  // Whatever else was to be told would have been by the time this is.
  const last = await session({ title: 'Last', script: [{ text: 'Done.' }], prompt: 'Go' });
  await last.until('turn/end');
  await expect.poll(texts).toEqual([expect.stringContaining('Finished'), expect.stringContaining('Last')]);
  expect(await shows()).toBe(3);
});
