import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { asking, escalation, onePending, openApprovals, pending, Question } from './fixtures/approval.ts';
import { expect, test } from './fixtures/test.ts';

// One question, one answer: each by its own id, however often the window is loaded and however many there are.

test('APR-8: a question is there again after a reload, the same in a second window, and answerable once', async ({
  ui,
  door,
  session,
  openWindow,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const made = await session({
    prompt: 'Go',
    script: [{ calls: [asking('c1', `echo x >> ${file}`)] }, { text: 'Done.' }],
  });
  const { approvalId } = await onePending(door);
  await ui.reload();
  await expect(new Question(ui, approvalId).root).toBeVisible();
  const second = await openWindow();
  await made.open(second);
  await expect(new Question(second, approvalId).root).toBeVisible();
  await new Question(second, approvalId).allow.click();
  await made.until('turn/end');
  await new Question(ui, approvalId).expectEnded('answered in another window');
  expect(await door.request('approval.decide', { approvalId, decision: 'deny' })).toMatchObject({ settled: false });
  expect(readFileSync(file, 'utf8')).toBe('x\n');
  expect(await made.eventsOf('approval/decided')).toHaveLength(1);
});

test('5-a: a pending question survives a reload; a message sent meanwhile is queued, and the command runs once', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const command = `echo x >> ${file}`;
  const made = await session({ prompt: 'Go', script: [{ calls: [asking('c1', command)] }, { text: 'Done.' }] });
  const { approvalId } = await onePending(door);
  const question = new Question(ui, approvalId);
  await expect(question.exact).toContainText(command);
  await ui.reload();
  await expect(question.exact).toContainText(command, { timeout: 2_000 });
  await ui.locator('#composer').fill('And then?');
  await ui.locator('#composer').press('Enter');
  await expect
    .poll(async () => (await made.eventsOf('user/message')).map(({ data }) => data.queued))
    .toEqual([false, true]);
  expect(existsSync(file)).toBe(false);
  await question.allow.click();
  await made.until('turn/end');
  expect(readFileSync(file, 'utf8')).toBe('x\n');
});

test('5-c: a Mode switch withdraws the question; a late Allow changes nothing and the next turn starts at once', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const nested = `await tools.bash(${JSON.stringify({ command: `echo x >> ${file}`, ...escalation() })})`;
  const made = await session({
    prompt: 'Go',
    script: [
      { calls: [{ id: 'c1', tool: 'run_code', input: { title: 'Nested', code: nested } }] },
      { text: 'Stopped.' },
      { calls: [asking('c2', `echo y >> ${file}`)] },
      { text: 'Done.' },
    ],
  });
  const { approvalId } = await onePending(door);
  const question = new Question(ui, approvalId);
  await expect(question.root).toContainText('Made by this program');
  await question.untilArmed();
  await door.request('mode.set', { sessionId: made.id, mode: 'read-only' });
  await question.expectEnded(/Withdrawn: the Mode changed/, 1_000);
  const late = await door.request('approval.decide', { approvalId, decision: 'allow-once' });
  expect(late).toEqual({ settled: false, by: 'system', outcome: 'cancelled' });
  await made.until('turn/end');
  await made.prompt('Again');
  const next = await onePending(door);
  expect(next.approvalId).not.toBe(approvalId);
  await new Question(ui, next.approvalId).untilArmed();
  expect(existsSync(file)).toBe(false);
});

test('5-d: of three questions a double click on one decides it alone, and the others go by their own answers', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  for (const [at, letter] of ['A', 'B', 'C'].entries()) {
    await session({
      prompt: 'Go',
      script: [{ calls: [asking(letter, `printf ${letter} >> ${file}`)] }, { text: 'Done.' }],
    });
    await pending(door, at + 1);
  }
  const [a, b, c] = (await pending(door, 3)).map(({ approvalId }) => new Question(ui, approvalId));
  if (!a || !b || !c) throw new Error('Three were asked');
  await openApprovals(ui);
  await b.allow.dblclick();
  await b.expectEnded('Allowed once.');
  await c.deny.click();
  await c.expectEnded('Denied.');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('B');
  await a.untilArmed();
  expect(await pending(door, 1)).toMatchObject([{ callId: 'A' }]);
  expect(await door.request('approval.decide', { approvalId: b.id, decision: 'deny' })).toEqual({
    settled: false,
    by: 'person',
    outcome: 'allowed-once',
  });
  expect(readFileSync(file, 'utf8')).toBe('B');
});

test('5-e: allowing once is remembered by nothing: the same call again, with another file, and after a restart asks again', async ({
  ui,
  app,
  door,
  session,
  folder,
}) => {
  const write = (id: string, name: string) => ({ calls: [asking(id, `echo x >> ${join(folder, name)}`)] });
  const made = await session({
    prompt: 'Go',
    script: [
      { calls: [{ id: 'v', tool: 'run_code', input: { title: 'Standing', code: 'let v = 1; v' } }] },
      {
        calls: [
          { id: 'p', tool: 'run_code', input: { title: 'Once', code: 'let leaked = 2; leaked', ...escalation() } },
        ],
      },
      { calls: [{ id: 'w', tool: 'run_code', input: { title: 'Look', code: '[v, typeof leaked]' } }] },
      write('c1', 'one.txt'),
      write('c2', 'one.txt'),
      write('c3', 'two.txt'),
      { text: 'Done.' },
      write('c4', 'one.txt'),
      { text: 'Done.' },
    ],
  });
  const ids = new Set<string>();
  for (let answers = 0; answers < 4; answers += 1) {
    const { approvalId } = await onePending(door);
    ids.add(approvalId);
    await new Question(ui, approvalId).allow.click();
    await made.until('approval/decided', answers + 1);
  }
  await made.until('turn/end');
  const results = await made.eventsOf('tool/result');
  expect(results.find(({ data }) => data.callId === 'w')?.data.value).toEqual([1, 'undefined']);
  expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('x\nx\n');
  const page = await app.restart();
  await made.open(page);
  await page.locator('#composer').fill('Once more');
  await page.locator('#composer').press('Enter');
  const last = page.locator('[data-approval]');
  await expect(last).toHaveAttribute('data-armed', 'true');
  ids.add((await last.getAttribute('data-approval')) ?? '');
  expect(ids.size).toBe(5);
  expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('x\nx\n');
});

test('5-h: asking for the Mode one has, or under the policy never, puts no question before a person', async ({
  ui,
  door,
  session,
}) => {
  const script = (command: string) => [{ calls: [asking('c1', command)] }, { text: 'Done.' }];
  const full = await session({ preset: 'danger-full-access', prompt: 'Go', script: script('echo full') });
  await full.until('turn/end');
  expect((await full.until('tool/result')).data).toMatchObject({ status: 'ok' });
  const never = await session({ preset: 'workspace-write', script: script('echo never') });
  await door.request('approvalPolicy.set', { sessionId: never.id, policy: 'never' });
  await never.prompt('Go');
  await never.until('turn/end');
  expect((await never.until('tool/result')).data).toMatchObject({ status: 'refused', code: 'rejected' });
  await expect(ui.locator('[data-approval]')).toHaveCount(0);
  await session({ preset: 'workspace-write', prompt: 'Go', script: script('echo ask') });
  const { approvalId } = await onePending(door);
  await new Question(ui, approvalId).untilArmed();
  await expect(ui.locator('[data-approval]')).toHaveCount(1);
});

test('five questions at once are all in the place of approvals, and each answer goes to its own', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const [at, name] of names.entries()) {
    const script = [{ calls: [asking(name, `touch ${join(folder, name)}`)] }, { text: 'Done.' }];
    await session({ title: `Session ${name}`, prompt: 'Go', script });
    await pending(door, at + 1);
  }
  const asked = await pending(door, 5);
  await openApprovals(ui);
  await expect(ui.locator('[data-approval]')).toHaveCount(5);
  const questions = asked.map(({ approvalId }) => new Question(ui, approvalId));
  for (const [at, { root }] of questions.entries()) {
    await expect(root).toContainText(`${at + 1} of 5`);
    await expect(root).toContainText(`Session ${names[at]}`);
  }
  const [a, b, c, d, e] = questions;
  if (!a || !b || !c || !d || !e) throw new Error('Five were asked');
  for (const { deny } of [c, a, e]) await deny.click();
  for (const { allow } of [d, b]) await allow.click();
  for (const question of [d, b]) await question.expectEnded('Allowed once.');
  await expect.poll(() => names.filter((name) => existsSync(join(folder, name)))).toEqual(['b', 'd']);
  expect(await pending(door, 0)).toEqual([]);
  await expect(ui.getByText('Nothing waits for an answer.')).toBeVisible({ timeout: 10_000 });
});

test('a note goes to the agent word for word, and Deny with note says what it does', async ({ ui, door, session }) => {
  const made = await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const { approvalId } = await onePending(door);
  const question = new Question(ui, approvalId);
  await question.denyWithNote.click();
  await expect(question.root.getByRole('textbox')).toBeFocused();
  await ui.keyboard.type('Use the copy in');
  await ui.keyboard.press('Enter');
  await ui.keyboard.type('“fixtures”, 请');
  await question.button('Deny with this note').click();
  await question.expectEnded('Denied.');
  const { data } = await made.until('approval/decided');
  expect(data).toMatchObject({ outcome: 'rejected', note: 'Use the copy in\n“fixtures”, 请' });
  expect((await made.until('tool/result')).data.content).toContain('Use the copy in\n“fixtures”, 请');
});

test('9-e: answered in the second of three windows, no button is active in the others within a second', async ({
  ui,
  door,
  session,
  openWindow,
}) => {
  const made = await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const { approvalId } = await onePending(door);
  const others = [ui, await openWindow()];
  const second = await openWindow();
  for (const page of [others[1] ?? ui, second]) await made.open(page);
  for (const page of [...others, second]) await new Question(page, approvalId).untilArmed();
  await new Question(second, approvalId).deny.click();
  await made.until('approval/decided');
  for (const page of others) await new Question(page, approvalId).expectEnded('answered in another window', 1_000);
  for (const page of others) await expect(new Question(page, approvalId).root).toHaveCount(0, { timeout: 8_000 });
});
