import { launchBrowserHost } from './fixtures/browserHost.ts';
import { openDoor } from './fixtures/door.ts';
import { storedEvents } from './fixtures/quitting.ts';
import { expect, test } from './fixtures/test.ts';

test('9-d: of two browser hosts on the same data only the first writes to a Session that it has open', async ({
  session,
  app,
  env,
  own,
  chrome,
  home,
}) => {
  const made = await session({ script: [{ await: 'go', text: 'One.' }], prompt: 'Go' });
  await made.until('step/start');
  const second = await launchBrowserHost({ env, own, viewport: { width: 1200, height: 800 }, context: {} }, chrome);
  const page = await second.openWindow();
  await page.locator(`[data-session="${made.id}"]`).click();
  await expect(page.locator('#composer')).toBeDisabled();
  await expect(page.locator('[data-region="main"]')).toContainText(String(app.pid));
  const door = await openDoor(page);
  const prompt = { sessionId: made.id, text: 'Me too' };
  expect(await door.ask('session.prompt', prompt)).toMatchObject({ ok: false, code: 'read-only' });
  await made.release('go');
  await made.until('turn/end');
  await door.close();
  await second.close();
  const numbers = storedEvents(home, made).map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, at) => at));
  expect(storedEvents(home, made).at(-1)?.type).toBe('turn/end');
});
