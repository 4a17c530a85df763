import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asking, onePending, pending, Question } from './fixtures/approval.ts';
import { axe } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';

// A person types, and may have no mouse: questions come and go without taking a key press or the focus.

test('a storm of keys while questions arrive decides nothing and loses nothing that was typed', async ({
  ui,
  door,
  session,
}) => {
  const script = (name: string) => [{ calls: [asking(name, `echo ${name}`)] }, { text: 'Done.' }];
  const others = [await session({ script: script('one') }), await session({ script: script('two') })];
  const shown = await session({
    prompt: 'Go',
    script: [{ await: 'go', calls: [asking('three', 'echo three')] }, { text: 'Done.' }],
  });
  await shown.until('turn/start');
  const composer = ui.locator('#composer');
  await composer.focus();
  const words = 'y Y 1 2 a d n  Allow once y1 ';
  const storm = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      await ui.keyboard.type(words, { delay: 80 });
      await ui.keyboard.press('Enter', { delay: 80 });
    }
    await ui.keyboard.type(words, { delay: 80 });
  };
  const arrivals = async (): Promise<void> => {
    for (const [at, other] of others.entries()) {
      await other.prompt('Go');
      await pending(door, at + 1);
    }
    await shown.release('go');
    await pending(door, 3);
  };
  await Promise.all([storm(), arrivals()]);
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue(words);
  await expect.poll(async () => (await shown.eventsOf('user/message')).length).toBe(4);
  const sent = (await shown.eventsOf('user/message')).slice(1).map(({ data: { text } }) => text);
  expect(sent).toEqual([words, words, words].map((text) => expect.stringContaining(text.trim())));
  expect(await pending(door, 3)).toHaveLength(3);
  for (const each of [...others, shown]) expect(await each.eventsOf('approval/decided')).toEqual([]);
});

test('a question that comes, changes and ends leaves the focus where it is', async ({ ui, door, session }) => {
  const made = await session({
    prompt: 'Go',
    script: [{ await: 'go', calls: [asking('c1', 'echo x')] }, { text: 'Done.' }],
  });
  const composer = ui.locator('#composer');
  await composer.focus();
  await made.release('go');
  const question = new Question(ui, (await onePending(door)).approvalId);
  await question.untilArmed();
  await expect(composer).toBeFocused();
  await door.request('approval.decide', { approvalId: question.id, decision: 'deny' });
  await question.expectEnded('answered in another window');
  await expect(composer).toBeFocused();
  await expect(question.root).toHaveCount(0, { timeout: 8_000 });
  await expect(composer).toBeFocused();
});

test('9-f: an arriving question is announced once, and is reached, read, left and answered by keys alone', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const made = await session({
    title: 'Tidy up',
    prompt: 'Go',
    script: [
      { await: 'go', calls: [asking('c1', `echo x >> ${file}`)] },
      { calls: [asking('c2', 'echo y')] },
      { text: 'Done.' },
    ],
  });
  await ui.locator('#composer').focus();
  await ui.keyboard.type('half a sent');
  const heard = announcements(ui);
  await made.release('go');
  const first = new Question(ui, (await onePending(door)).approvalId);
  await first.untilArmed();
  await ui.keyboard.press('ControlOrMeta+Shift+A');
  await expect(first.heading).toBeFocused();
  await expect(first.heading).toHaveText('Allow one command to run with full file access?');
  await expectRound(ui, first);
  await ui.keyboard.press('Escape');
  await expect(ui.locator('#composer')).toBeFocused();
  await ui.keyboard.type('ence');
  await expect(ui.locator('#composer')).toHaveValue('half a sentence');
  expect((await pending(door, 1))[0]?.approvalId).toBe(first.id);
  await ui.keyboard.press('Shift+Tab');
  await expect(first.heading).toBeFocused();
  await first.untilArmed();
  await ui.keyboard.press('Alt+a');
  await first.expectEnded('Allowed once.');
  await expect(ui.locator('#composer')).toBeFocused();
  await expect.poll(() => existsSync(file)).toBe(true);
  await made.until('approval/asked', 2);
  const second = new Question(ui, (await onePending(door)).approvalId);
  await second.untilArmed();
  await ui.keyboard.press('ControlOrMeta+Shift+A');
  await expect(second.heading).toBeFocused();
  await tabTo(ui, second.deny);
  await ui.keyboard.press('Enter');
  await second.expectEnded('Denied.');
  await expect(ui.locator('#composer')).toBeFocused();
  await expect(ui.locator('#composer')).toHaveValue('half a sentence');
  const asked = (await heard()).filter((text) => text.includes('Approval needed'));
  expect(asked).toEqual([
    `Approval needed: Tidy up: one command, full access: echo x >> ${file}`,
    'Approval needed: Tidy up: one command, full access: echo y',
  ]);
});

test('the note is written, left and taken up again by keys; Option with a letter writes and decides nothing', async ({
  ui,
  door,
  session,
}) => {
  await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const question = new Question(ui, (await onePending(door)).approvalId);
  const field = question.root.getByRole('textbox');
  await question.untilArmed();
  await ui.locator('#composer').focus();
  await ui.keyboard.press('ControlOrMeta+Shift+A');
  await ui.keyboard.press('Alt+n');
  await expect(field).toBeFocused();
  await ui.keyboard.type('no');
  await ui.keyboard.press('Alt+a');
  await ui.keyboard.press('Alt+d');
  await question.untilArmed();
  await expect(question.root).toHaveAttribute('data-state', 'open');
  await ui.keyboard.press('Escape');
  await expect(question.denyWithNote).toBeFocused();
  await ui.keyboard.press('Escape');
  await expect(ui.locator('#composer')).toBeFocused();
  expect(await pending(door, 1)).toHaveLength(1);
});

test('composing text decides nothing and sends nothing, in the message and in the note', async ({
  ui,
  door,
  session,
}) => {
  const made = await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const question = new Question(ui, (await onePending(door)).approvalId);
  await question.untilArmed();
  const field = question.root.getByRole('textbox');
  const debuggee = await ui.context().newCDPSession(ui);
  for (const target of [ui.locator('#composer'), field]) {
    if (target === field) await question.denyWithNote.click();
    await target.focus();
    await debuggee.send('Input.imeSetComposition', { text: 'qingwen', selectionStart: 7, selectionEnd: 7 });
    for (const key of ['Enter', ' ', 'Escape']) await composing(debuggee, key);
    await debuggee.send('Input.insertText', { text: '请问' });
    await expect(target).toHaveValue('请问');
    await expect(target).toBeFocused();
  }
  await expect(question.root).toHaveAttribute('data-state', 'open');
  expect(await pending(door, 1)).toHaveLength(1);
  expect(await made.eventsOf('user/message')).toHaveLength(1);
});

for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'en'],
  ['light', 'zh'],
  ['dark', 'zh'],
] as const) {
  test.describe(`in the ${theme} theme, ${language}`, () => {
    test.use({ settings: { window: { welcomed: true, theme, language } } });

    test('axe finds nothing wrong with questions in a Session and in their place', async ({ ui, door, session }) => {
      const script = (name: string) => [{ calls: [asking(name, `echo ${name}\u200b`)] }, { text: 'Done.' }];
      await session({ prompt: 'Go', script: script('one') });
      await onePending(door);
      await session({ prompt: 'Go', script: script('two') });
      const [one, two] = (await pending(door, 2)).map(({ approvalId }) => new Question(ui, approvalId));
      if (!one || !two) throw new Error('Two were asked');
      await two.untilArmed();
      expect(await axe(ui)).toEqual([]);
      // By what they are and not by their words, which differ.
      await two.root.locator('[aria-keyshortcuts="Alt+N"]').click();
      await two.root.getByRole('textbox').fill('no');
      expect(await axe(ui)).toEqual([]);
      await ui.evaluate(() => (location.hash = '#/approvals'));
      await ui.reload();
      await one.untilArmed();
      await one.root.locator('[aria-keyshortcuts="Alt+D"]').click();
      await expect(one.root).toHaveAttribute('data-state', 'ended');
      await two.untilArmed();
      expect(await axe(ui)).toEqual([]);
    });
  });
}

/** Every text that the polite region says from now on. */
function announcements(page: Page): () => Promise<readonly string[]> {
  const started = page.evaluate(() => {
    const region = document.querySelector('.heard[role="status"]');
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver(() => heard.push(region?.textContent ?? '')).observe(region ?? document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return async () => {
    await started;
    return page.evaluate(() => (window as unknown as { heard: string[] }).heard); // put there above
  };
}

/** Tab goes through everything in the dialog and comes back to where it began. */
async function expectRound(page: Page, question: Question): Promise<void> {
  await page.keyboard.press('Tab');
  const start = await focused(page);
  const passed = [start];
  for (;;) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    expect(await question.root.evaluate((root) => root.contains(document.activeElement))).toBe(true);
    if (now === start) break;
    passed.push(now);
  }
  expect(passed.join(' ')).toMatch(/Copy.*Change preset….*Deny.*Deny with note….*Allow once/);
}

async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  while (!(await target.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
}

function focused(page: Page): Promise<string> {
  return page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  );
}

/** A key as the system hands it over while text is being composed. */
async function composing(
  debuggee: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>,
  key: string,
): Promise<void> {
  const common = { key, windowsVirtualKeyCode: 229 };
  await debuggee.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...common });
  await debuggee.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
}
