import type { Page } from '@playwright/test';
import { asking, onePending, openApprovals, Question } from './fixtures/approval.ts';
import type { Door } from './fixtures/door.ts';
import { gainFocus, loseFocus } from './fixtures/focus.ts';
import type { SessionOptions, TestSession } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

// Nothing decides but a press that a person meant: begun and ended on the button, in a window that was looked at.

interface Parts {
  readonly ui: Page;
  readonly door: Door;
  readonly session: (options: SessionOptions) => Promise<TestSession>;
}

async function ask({ ui, door, session }: Parts): Promise<{ question: Question; made: TestSession }> {
  const made = await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const { approvalId } = await onePending(door);
  return { question: new Question(ui, approvalId), made };
}

/** A later answer goes the same way, and is the only one in the log. */
async function expectOnlyLater(question: Question, made: TestSession): Promise<void> {
  await expect(question.root).toHaveAttribute('data-state', 'open');
  await question.untilArmed();
  await question.deny.click();
  const { data } = await made.until('approval/decided');
  expect(data).toMatchObject({ outcome: 'rejected', by: 'person' });
  expect(await made.eventsOf('approval/decided')).toHaveLength(1);
}

async function centreOf(question: Question): Promise<{ x: number; y: number }> {
  const box = await question.allow.boundingBox();
  if (!box) throw new Error('The button is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('the buttons are not armed before the window has been looked at for 700 ms, and every return starts that anew', async ({
  ui,
  door,
  session,
}) => {
  const { question } = await ask({ ui, door, session });
  await question.untilArmed();
  await loseFocus(ui);
  await expect(question.root).toHaveAttribute('data-armed', 'false');
  await expect(question.allow).toHaveAttribute('aria-disabled', 'true');
  await expect(question.root).toContainText('ready when this window is in front');
  const took = question.root.evaluate(
    (root) =>
      new Promise<number>((resolve) => {
        let from = 0;
        window.addEventListener('focus', () => (from = performance.now()), { once: true });
        new MutationObserver(() => {
          if (root.getAttribute('data-armed') === 'true') resolve(performance.now() - from);
        }).observe(root, { attributes: true });
      }),
  );
  await gainFocus(ui);
  expect(await took).toBeGreaterThanOrEqual(700);
});

test('the click that brings the window forward decides nothing, however long it is held', async ({
  ui,
  door,
  session,
}) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  const { x, y } = await centreOf(question);
  await ui.mouse.move(x, y);
  await loseFocus(ui);
  await gainFocus(ui);
  await ui.mouse.down();
  await ui.mouse.up();
  await question.untilArmed();
  await loseFocus(ui);
  await gainFocus(ui);
  await ui.mouse.down();
  await question.untilArmed();
  await ui.mouse.up();
  await expectOnlyLater(question, made);
});

test('a press that begins or ends beside the button decides nothing, nor does one that the window loses the focus in', async ({
  ui,
  door,
  session,
}) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  const { x, y } = await centreOf(question);
  await question.heading.hover();
  await ui.mouse.down();
  await ui.mouse.move(x, y);
  await ui.mouse.up();
  await ui.mouse.down();
  await question.heading.hover();
  await ui.mouse.up();
  await ui.mouse.move(x, y);
  await ui.mouse.down();
  await loseFocus(ui);
  await gainFocus(ui);
  await question.untilArmed();
  await ui.mouse.up();
  await expectOnlyLater(question, made);
});

test('clicks and keys that no person made decide nothing', async ({ ui, door, session }) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  await question.allow.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    const bubbles = { bubbles: true, cancelable: true };
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
      button.dispatchEvent(new PointerEvent(type, { ...bubbles, isPrimary: true }));
    for (const type of ['keydown', 'keyup']) button.dispatchEvent(new KeyboardEvent(type, { ...bubbles, key: ' ' }));
    button.dispatchEvent(new KeyboardEvent('keydown', { ...bubbles, code: 'KeyA', key: 'a', altKey: true }));
  });
  await expectOnlyLater(question, made);
});

test('Enter never allows, and says which keys do; Space does', async ({ ui, door, session }) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  await ui.keyboard.press('ControlOrMeta+Shift+A');
  await question.allow.focus();
  await ui.keyboard.press('Enter');
  await expect(question.root).toContainText('Enter does not allow. Press Space or');
  await expect(question.root).toHaveAttribute('data-state', 'open');
  await ui.keyboard.press('Space');
  await question.expectEnded('Allowed once.');
  expect((await made.until('approval/decided')).data).toMatchObject({ outcome: 'allowed-once' });
});

test('a key that is held from before decides nothing, on the button or as a chord', async ({ ui, door, session }) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  await question.allow.focus();
  await question.allow.focus();
  await loseFocus(ui);
  await gainFocus(ui);
  await ui.keyboard.down('Space');
  await question.untilArmed();
  for (let held = 0; held < 5; held += 1) await ui.keyboard.down('Space');
  await ui.keyboard.up('Space');
  await loseFocus(ui);
  await gainFocus(ui);
  await ui.keyboard.down('Alt');
  await ui.keyboard.down('a');
  await question.untilArmed();
  for (let held = 0; held < 5; held += 1) await ui.keyboard.down('a');
  await ui.keyboard.up('a');
  await ui.keyboard.up('Alt');
  await expectOnlyLater(question, made);
});

test('letters and digits decide nothing wherever the focus is in the dialog; Alt with D denies', async ({
  ui,
  door,
  session,
}) => {
  const { question, made } = await ask({ ui, door, session });
  await question.untilArmed();
  await ui.keyboard.press('ControlOrMeta+Shift+A');
  for (const place of [question.heading, question.exact, question.deny, question.allow]) {
    await place.focus();
    for (const key of ['y', 'Y', 'a', 'd', 'n', '1', '2', '0']) await ui.keyboard.press(key);
  }
  await expect(question.root).toHaveAttribute('data-state', 'open');
  await ui.keyboard.press('Alt+d');
  await question.expectEnded('Denied.');
  expect(await made.eventsOf('approval/decided')).toHaveLength(1);
});

test('what changes above a question in the place of approvals disarms it, so that a moved button is not pressed', async ({
  ui,
  door,
  session,
}) => {
  const first = await ask({ ui, door, session });
  await first.question.untilArmed();
  await session({ prompt: 'Go', script: [{ calls: [asking('c2', 'echo y')] }, { text: 'Done.' }] });
  await expect.poll(async () => (await door.request('approval.list', {})).approvals.length).toBe(2);
  const { approvals } = await door.request('approval.list', {});
  const second = new Question(ui, approvals.find(({ callId }) => callId === 'c2')?.approvalId ?? first.question.id);
  await openApprovals(ui);
  await second.untilArmed();
  const states = await second.states();
  await door.request('approval.decide', { approvalId: first.question.id, decision: 'deny' });
  await expect.poll(states).toContain('open false');
  await second.untilArmed();
});
