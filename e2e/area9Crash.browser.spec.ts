import { AS_BEFORE, crashScene, expectNothingMissing, shown } from './fixtures/crashScene.ts';
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

test('9-a: a tab that crashed three times and was loaded again is as it was each time, and misses no event', async ({
  door,
  session,
  ui,
}) => {
  const scene = await crashScene({ door, session, page: ui });
  const { working, window } = scene;
  for (const time of [1, 2, 3]) {
    await window.crash();
    await working.release(`go${time}`);
    await working.until('tool/result', time);
    await window.reload();
    await expect.poll(() => shown(window), { timeout: 5_000 }).toEqual(AS_BEFORE);
  }
  await expectNothingMissing(scene);
});
