import { isAlive } from './fixtures/processes.ts';
import {
  choose,
  danger,
  nextSeq,
  NOTHING_TO_DO,
  option,
  running,
  RUNS_DEAF,
  RUNS_ON,
  selector,
  untilDeaf,
} from './fixtures/presets.ts';
import { expect, test } from './fixtures/test.ts';

test('the list of presets goes from narrow to wide; each entry has its sentence and its two values', async ({
  ui,
  session,
}) => {
  await session({ script: NOTHING_TO_DO });
  await selector(ui).click();
  await expect(ui.getByRole('option')).toHaveText([
    /^Read only.*writes nothing.*Read onlyAsks$/,
    /^Workspace write.*workspace alone.*Workspace writeAsks$/,
    /^Full access.*without a sandbox.*Full accessNever asks$/,
  ]);
  await expect(option(ui, 'Workspace write')).toHaveAttribute('aria-selected', 'true');
});

test('the list tells what the entry that is pointed at would change and stop', async ({ ui, session }) => {
  await running(await session({ script: RUNS_ON, prompt: 'Go' }));
  await selector(ui).click();
  await option(ui, 'Read only').hover();
  await expect(ui.getByText('Mode: Workspace write → Read only. Stops 1 process.')).toBeVisible();
});

test('choosing what is in force writes nothing', async ({ ui, session, door }) => {
  const made = await session({ script: NOTHING_TO_DO });
  const next = await nextSeq(made);
  await choose(ui, 'Workspace write');
  await expect(option(ui, 'Workspace write')).toBeHidden();
  const { seq } = await door.request('preset.set', { sessionId: made.id, preset: 'read-only' });
  expect(seq).toBe(next);
  await expect(selector(ui)).toHaveText('Read only');
});

test('letters typed on the closed selector switch nothing', async ({ ui, session, door }) => {
  const made = await session({ script: NOTHING_TO_DO });
  const next = await nextSeq(made);
  await selector(ui).focus();
  await ui.keyboard.type('read full');
  const { seq } = await door.request('approvalPolicy.set', { sessionId: made.id, policy: 'never' });
  expect(seq).toBe(next);
  await expect(selector(ui)).toHaveText('Custom');
  await expect(danger(ui)).toBeHidden();
});

test('PRE-4: custom is shown with its explanation and cannot be chosen', async ({ ui, session, door }) => {
  const made = await session({ script: NOTHING_TO_DO });
  await door.request('approvalPolicy.set', { sessionId: made.id, policy: 'never' });
  await expect(selector(ui)).toHaveText('Custom');
  const next = await nextSeq(made);
  await selector(ui).click();
  const custom = option(ui, 'Custom');
  await expect(custom).toHaveAttribute('aria-disabled', 'true');
  await expect(custom).toContainText('no preset has this pair');
  await expect(custom).toContainText('Never asks');
  await custom.click({ force: true });
  await option(ui, 'Read only').click();
  await expect(selector(ui)).toHaveText('Read only');
  expect((await made.until('permission/preset', 2)).seq).toBe(next);
});
test('a switch is recorded at once; what it stops is ended behind it and confirmed', async ({ ui, session }) => {
  const made = await session({ script: RUNS_DEAF, prompt: 'Go' });
  await untilDeaf(made);
  await choose(ui, 'Read only');
  await expect(selector(ui)).toHaveText('Read only');
  expect(await made.eventsOf('cleanup/ended'), 'nothing has waited for the end').toEqual([]);
  await expect(ui.locator('.head .chip', { hasText: 'Cleaning up 1' })).toBeVisible();
  const { seq } = await made.until('permission/preset', 2);
  const outcome = ui.locator('[data-outcome="recorded"]');
  await expect(outcome).toContainText(`Recorded at event ${seq}. Stopping 1 process started under Workspace write.`);

  const { data } = await made.until('cleanup/asked');
  await expect(outcome).toContainText('It has ended.');
  await expect(ui.locator('.head .chip', { hasText: /^Clean$/ })).toBeVisible();
  expect(isAlive(data.pid ?? 0)).toBe(false);
  await expect(ui.locator('.head .chip', { hasText: /Clean/ })).toBeHidden();
});

test('a switch links to what is being ended, and leaves when the next thing is said', async ({ ui, session }) => {
  await running(await session({ script: RUNS_ON, prompt: 'Go' }));
  await choose(ui, 'Read only');
  await ui.getByRole('button', { name: 'Show cleanup' }).click();
  await expect(ui.locator('[data-region="drawer"] [data-cleanup]')).toHaveCount(1);
  await ui.locator('#composer').fill('Go on');
  await ui.keyboard.press('Enter');
  await expect(ui.locator('[data-outcome]')).toBeHidden();
});

test('a switch can be dismissed', async ({ ui, session }) => {
  await session({ script: NOTHING_TO_DO });
  await choose(ui, 'Read only');
  await ui.locator('[data-outcome="recorded"]').getByRole('button', { name: 'Dismiss' }).click();
  await expect(ui.locator('[data-outcome]')).toBeHidden();
  await expect(selector(ui)).toHaveText('Read only');
});

test('a switch to less never asks', async ({ ui, session }) => {
  const made = await session({ script: NOTHING_TO_DO, preset: 'danger-full-access' });
  await expect(selector(ui)).toHaveText('Full access');
  await choose(ui, 'Workspace write');
  await expect(selector(ui)).toHaveText('Workspace write');
  await expect(danger(ui)).toBeHidden();
  expect((await made.until('permission/preset', 2)).data.preset).toBe('workspace-write');
});

test('a program that waits for a cleanup says so while it does', async ({ ui, session }) => {
  const [deaf] = RUNS_DEAF;
  const next = { id: 'c2', tool: 'run_code', input: { title: 'next', code: '2' } };
  const script = [{ calls: [...(deaf?.calls ?? []), next] }, { text: 'Done.' }];
  const made = await session({ script, prompt: 'Go' });
  await made.until('tool/started');
  await choose(ui, 'Read only');
  await expect(ui.locator('.cleanup-wait')).toHaveText(/^Waiting for cleanup of command c1 \(\d+ s\)$/);
  await made.until('cleanup/ended');
  await expect(ui.locator('.cleanup-wait')).toBeHidden();
  await made.until('turn/end');
  expect((await made.eventsOf('tool/result')).map(({ data }) => [data.callId, data.status])).toEqual([
    ['c1', 'cancelled'],
    ['c2', 'ok'],
  ]);
});
