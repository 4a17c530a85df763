import type { ElectronApplication } from '@playwright/test';
import { AS_BEFORE, crashScene, expectNothingMissing, shown } from './fixtures/crashScene.ts';
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

// The second window crashes, so that the first one can be asked meanwhile what the logs hold.

const FIVE_MINUTES = 300_000;

test('9-a: a window that crashes every five minutes is back within 5 s each time, and misses no event', async ({
  app,
  door,
  session,
  openWindow,
}) => {
  const scene = await crashScene({ door, session, page: await openWindow() });
  const { working, window } = scene;
  for (const time of [1, 2, 3]) {
    await letPass(app.electron, FIVE_MINUTES);
    await window.crash();
    await working.release(`go${time}`);
    await working.until('tool/result', time);
    await expect.poll(() => shown(window), { timeout: 5_000 }).toEqual(AS_BEFORE);
  }
  await expectNothingMissing(scene);
});

test('9-a: the third crash within 30 s shows a page that says so, and its button brings everything back', async ({
  app,
  door,
  session,
  openWindow,
}) => {
  const scene = await crashScene({ door, session, page: await openWindow() });
  const { working, window } = scene;
  for (const time of [1, 2]) {
    await window.crash();
    await working.release(`go${time}`);
    await working.until('tool/result', time);
    await expect.poll(() => shown(window), { timeout: 5_000 }).toEqual(AS_BEFORE);
  }
  await window.crash();
  const told = () => window.find(() => document.querySelector('[role="alert"] button')?.textContent);
  await expect.poll(told, { timeout: 10_000 }).toBe('Reload');
  await working.release('go3');
  await working.until('tool/result', 3);
  await window.find(() => document.querySelector<HTMLButtonElement>('[role="alert"] button')?.click());
  await expect.poll(() => shown(window), { timeout: 5_000 }).toEqual(AS_BEFORE);
  await expectNothingMissing(scene);
  expect(app.stderr()).toMatch(/The page of a window ended: crashed/);
});

test('9-a: what crashes again on the page that says so is shown that page again, never nothing', async ({
  door,
  session,
  openWindow,
}) => {
  const { window } = await crashScene({ door, session, page: await openWindow() });
  const told = () => window.find(() => document.querySelector('[role="alert"] h1')?.textContent);
  for (const _ of [1, 2]) {
    await window.crash();
    await expect.poll(() => shown(window), { timeout: 5_000 }).toEqual(AS_BEFORE);
  }
  for (const _ of [3, 4]) {
    await window.crash();
    await expect.poll(told, { timeout: 10_000 }).toBeTruthy();
  }
});

/** On the clock of the main process alone. */
async function letPass(electron: ElectronApplication, ms: number): Promise<void> {
  await electron.evaluate((_electron, later) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + later;
  }, ms);
}
