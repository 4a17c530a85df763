import { expect, test } from './fixtures/test.ts';

test('a window that missed an event sees the gap in the numbers and asks for what it missed', async ({
  ui,
  session,
}) => {
  const made = await session({ script: [{ text: 'An answer.' }] });
  let dropped = 0;
  await ui.routeWebSocket(/\/ws$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((frame) => server.send(frame));
    server.onMessage((frame) => {
      if (String(frame).startsWith('{"push":"event"') && String(frame).includes('"user/message"')) dropped += 1;
      else route.send(frame);
    });
  });
  await ui.reload();
  await expect(ui.locator('[data-region="composer"]')).toBeVisible();
  // Not by this window, which would know what was said in it.
  await made.prompt('Words that got lost');
  await made.until('turn/end');
  await expect(ui.getByText('Words that got lost')).toBeVisible();
  await expect(ui.getByText('An answer.')).toBeVisible();
  expect(dropped).toBe(1);
});
