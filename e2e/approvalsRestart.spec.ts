import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asking, onePending, Question } from './fixtures/approval.ts';
import { expect, test } from './fixtures/test.ts';

test('5-b: a restart ends the question: no button is left, nothing ran, and the next question has another id', async ({
  ui,
  app,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const made = await session({
    prompt: 'Go',
    script: [
      { calls: [asking('c1', `echo x >> ${file}`)] },
      { calls: [asking('c2', `echo y >> ${file}`)] },
      { text: 'Done.' },
    ],
  });
  const { approvalId } = await onePending(door);
  await new Question(ui, approvalId).untilArmed();
  await app.kill();
  const page = await app.start();
  await made.open(page);
  await expect(page.getByText(/restarted/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow once' })).toHaveCount(0);
  await page.locator('#composer').fill('Again');
  await page.locator('#composer').press('Enter');
  const next = page.locator('[data-approval]');
  await expect(next).toHaveAttribute('data-armed', 'true');
  expect(await next.getAttribute('data-approval')).not.toBe(approvalId);
  expect(existsSync(file)).toBe(false);
  await next.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => existsSync(file)).toBe(true);
});
