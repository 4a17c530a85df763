import { once } from 'node:events';
import { BUSY, expectNothingLeft, marker, runs, storedEvents, test, untilRunning } from './fixtures/quitting.ts';
import { processesWith } from './fixtures/processes.ts';
import { expect } from './fixtures/test.ts';

test.describe.configure({ timeout: 60_000 });

for (const { name, script, until } of BUSY)
  test(`9-c: ${name}, the end of the browser host ends everything within 10 s`, async ({
    app,
    door,
    session,
    home,
  }) => {
    const word = marker();
    const made = await session({ script: script(word), prompt: 'Go' });
    await until({ made, door, word });
    const from = performance.now();
    expect(await app.stop()).toBe(0);
    expect(performance.now() - from).toBeLessThan(10_000);
    await expectNothingLeft({ app, made, home, word });
  });

test('9-c: (i) while a slow launcher starts a command, the end of the browser host ends everything within 10 s', async ({
  app,
  session,
  home,
  launcher,
}) => {
  const word = marker();
  // With the first command the Session has its Compartment, which the launcher makes as well.
  const made = await session({
    script: [{ calls: [{ id: 'c0', tool: 'bash', input: { command: 'true' } }] }, { text: 'Ready.' }, ...runs(word)],
    prompt: 'Begin',
  });
  await made.until('turn/end');
  launcher.slowDown();
  await made.prompt('Go');
  await expect.poll(() => processesWith(word)).not.toEqual([]);
  const from = performance.now();
  expect(await app.stop()).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
  launcher.hurry();
  await expectNothingLeft({ app, made, home, word });
});

test('9-c: told to end a second time it ends at once, leaves no process, and the next start settles the log', async ({
  app,
  session,
  home,
}) => {
  const word = marker();
  const made = await session({ script: runs(word), prompt: 'Go' });
  await untilRunning({ made, word });
  const ended = once(app.process, 'exit');
  app.process.kill('SIGTERM');
  await expect.poll(() => storedEvents(home, made).some(({ type }) => type === 'cleanup/asked')).toBe(true);
  app.process.kill('SIGTERM');
  await ended;
  await expect.poll(() => processesWith(word)).toEqual([]);
  await app.close();
  await made.open(await app.start());
  await expect.poll(() => storedEvents(home, made).at(-1)?.type).toBe('session/end-seed');
  const events = storedEvents(home, made);
  expect(events.filter(({ type }) => type === 'tool/result')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'turn/end')).toHaveLength(1);
});
