import type { ElectronApplication } from '@playwright/test';
import { once } from 'node:events';
import type { App } from './fixtures/app.ts';
import { BUSY, expectNothingLeft, marker, runs, storedEvents, test, untilRunning } from './fixtures/quitting.ts';
import { processesWith } from './fixtures/processes.ts';
import { expect } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

// However the program is busy: to quit twice ends it within ten seconds, and it leaves nothing but a whole log.

for (const { name, script, until } of BUSY)
  test(`9-c: ${name}, to quit twice ends everything within 10 s`, async ({ app, door, session, home }) => {
    const word = marker();
    const made = await session({ script: script(word), prompt: 'Go' });
    await until({ made, door, word });
    await quitTwice(app);
    await expectNothingLeft({ app, made, home, word });
  });

test('9-c: (i) while a slow launcher starts a command, to quit twice ends everything within 10 s', async ({
  app,
  door,
  session,
  home,
  launcher,
}) => {
  const word = marker();
  await door.request('doctor.run', {});
  const made = await session({ script: runs(word) });
  launcher.slowDown();
  await made.prompt('Go');
  await expect.poll(() => processesWith(word)).not.toEqual([]);
  await quitTwice(app);
  launcher.hurry();
  await expectNothingLeft({ app, made, home, word });
});

test('9-c: to quit again while everything is being ended hurries nothing', async ({ app, session, home, desktop }) => {
  const word = marker();
  const made = await session({ script: runs(word), prompt: 'Go' });
  await untilRunning({ made, word });
  await desktop.answerMessages(STOP_AND_QUIT);
  const ended = once(app.process, 'exit');
  await quit(app.electron);
  // No request is answered any more.
  await expect.poll(() => storedEvents(home, made).some(({ type }) => type === 'cleanup/asked')).toBe(true);
  await quit(app.electron);
  expect((await ended)[0]).toBe(0);
  await expectNothingLeft({ app, made, home, word });
});

const STOP_AND_QUIT = 1;

/** The second time while the program asks what it should do with the work; nobody answers that. */
async function quitTwice({ electron, process }: App): Promise<void> {
  const ended = once(process, 'exit');
  const from = performance.now();
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = (...args: unknown[]) => {
      const { signal } = args.at(-1) as { signal: AbortSignal }; // The options come last.
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ response: 2, checkboxChecked: false }));
      });
    };
  });
  await quit(electron);
  await quit(electron);
  expect((await ended)[0]).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
}

/** What it is asked with ends with it. */
async function quit(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ app }) => app.quit()).catch(() => undefined);
}
