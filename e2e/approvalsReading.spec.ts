import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { asking, escalation, onePending, openApprovals, pending, Question } from './fixtures/approval.ts';
import { expect, test } from './fixtures/test.ts';

// What a person decides by is all there: the last line of a long text, and every character that would not be seen.

/** 60 KiB, the dangerous line last, after 200 blank ones. */
function longCommand(file: string): string {
  const last = `${'\n'.repeat(201)}echo danger >> ${file}`;
  const line = 'echo "nothing to see here, just some more of the same work" > /dev/null\n';
  return `${line.repeat(Math.ceil((60 * 1024) / line.length))}:${last}`;
}

/**
 * How long the window works until the question is drawn, in ms of its own time: what other processes of a busy machine do
 * meanwhile is not counted.
 */
async function workUntilDrawn(page: Page, ask: () => Promise<void>): Promise<number> {
  const debuggee = await page.context().newCDPSession(page);
  await debuggee.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await debuggee.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await worked();
  await ask();
  await expect(page.locator('[data-approval] [data-from]').first()).toBeVisible();
  const after = await worked();
  await debuggee.detach();
  return after - before;
}

async function expectOnScreen(page: Page, question: Question): Promise<void> {
  const size = page.viewportSize();
  for (const button of [question.deny, question.denyWithNote, question.allow]) {
    const box = await button.boundingBox();
    expect(box && size && box.y >= 0 && box.y + box.height <= size.height && box.x + box.width <= size.width).toBe(
      true,
    );
  }
}

test.describe('in a window of 800 × 600', () => {
  test.use({ viewport: { width: 800, height: 600 } });

  test('APR-9, 5-g: a command of 60 KiB says how much is not visible; its last line is reached by keys and Copy gives all of it', async ({
    ui,
    door,
    session,
    folder,
  }) => {
    const command = longCommand(join(folder, 'danger.txt'));
    expect(Buffer.byteLength(command)).toBeGreaterThanOrEqual(60 * 1024);
    const made = await session({ script: [{ calls: [asking('c1', command)] }, { text: 'Done.' }] });
    expect(await workUntilDrawn(ui, () => made.prompt('Go'))).toBeLessThan(500);
    const question = new Question(ui, (await onePending(door)).approvalId);
    await question.untilArmed();
    await expectOnScreen(ui, question);
    await expect(question.root).toContainText(/[\d,]+ lines not visible/);
    await ui.keyboard.press('ControlOrMeta+Shift+A');
    await expect(question.heading).toBeFocused();
    await ui.keyboard.press('Tab');
    while (!(await question.exact.evaluate((box) => box === document.activeElement))) await ui.keyboard.press('Tab');
    await ui.keyboard.press('End');
    await expect(question.exact.getByText('echo danger')).toBeInViewport();
    await expect(question.exact.getByText('200 blank lines')).toBeInViewport();
    await expect(question.root).toContainText(/[\d,]+ lines not visible/);
    await expectOnScreen(ui, question);
    await question.root.getByRole('button', { name: 'Copy' }).first().click();
    await expect(question.root.getByRole('button', { name: 'Copied' })).toBeVisible();
    await ui.locator('#composer').focus();
    await ui.keyboard.press('ControlOrMeta+V');
    await expect(ui.locator('#composer')).toHaveValue(command);
  });

  test('a text whose every line is in view says nothing of lines that are not', async ({ ui, door, session }) => {
    await session({ prompt: 'Go', script: [{ calls: [asking('c1', 'echo one\necho two')] }, { text: 'Done.' }] });
    const question = new Question(ui, (await onePending(door)).approvalId);
    await question.untilArmed();
    await expect(question.root).toContainText('2 lines, 17 characters');
    await expect(question.root).not.toContainText('not visible');
  });
});

test('in the place of approvals, lines that come into view because what stood above is gone are no longer counted', async ({
  ui,
  door,
  session,
}) => {
  const script = (lines: number) => [
    { calls: [asking('c1', Array.from({ length: lines }, (_, at) => `echo ${at}`).join('\n'))] },
    { text: 'Done.' },
  ];
  await session({ prompt: 'Go', script: script(60) });
  await onePending(door);
  await session({ prompt: 'Go', script: script(4) });
  const [above, below] = (await pending(door, 2)).map(({ approvalId }) => new Question(ui, approvalId));
  if (!above || !below) throw new Error('Two were asked');
  await ui.setViewportSize({ width: 1000, height: 520 });
  await openApprovals(ui);
  await expect(below.root).toContainText('4 lines not visible');
  await door.request('approval.decide', { approvalId: above.id, decision: 'deny' });
  await expect(below.root).not.toContainText('not visible');
});

test('a program of 20,000 characters with characters that are not seen can be read in full', async ({
  ui,
  door,
  session,
}) => {
  const lines = Array.from({ length: 400 }, (_, at) => `const v${at} = ${'1 + '.repeat(8)}${at};`);
  const code = `${lines.join('\n')}\n// \u202e\u2066\u200b\u{e0041}${'x'.repeat(20_000 - lines.join('\n').length - 9)}\u200b`;
  const made = await session({
    script: [
      { calls: [{ id: 'c1', tool: 'run_code', input: { title: 'Long', code, ...escalation() } }] },
      { text: 'Done.' },
    ],
  });
  expect(await workUntilDrawn(ui, () => made.prompt('Go'))).toBeLessThan(500);
  const question = new Question(ui, (await onePending(door)).approvalId);
  await expect(question.root).toContainText('20,000 characters');
  await expect(question.root).toContainText('Contains invisible characters');
  const read = new Map<number, string>();
  await question.exact.focus();
  for (let rows = await rowsOf(question); ; rows = await rowsOf(question)) {
    for (const { index, text } of rows) read.set(index, text);
    if (rows.at(-1)?.text.endsWith('xx⟨U+200B⟩')) break;
    await ui.keyboard.press('PageDown');
  }
  const whole = Array.from(read)
    .toSorted(([one], [other]) => one - other)
    .map(([, text]) => text);
  const expected = code.replace(
    /[\u202e\u2066\u200b]|\u{e0041}/gu,
    (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟩`,
  );
  expect(whole.join('') === expected.replaceAll('\n', ''), 'what was read is the whole program').toBe(true);
});

/** What is drawn of the text now, row by row. */
function rowsOf({ exact }: Question): Promise<{ index: number; text: string }[]> {
  return exact.locator('[data-index]').evaluateAll((rows) =>
    rows.map((row) => ({
      index: Number(row.getAttribute('data-index')),
      text: row.querySelector('[data-from]')?.textContent ?? '',
    })),
  );
}

const UNSEEN = '\u202e\u2066\u200b\u2028\u{e0041}\u001b[2K\r';
const DRAWN = '⟨U+202E⟩⟨U+2066⟩⟨U+200B⟩⟨U+2028⟩⟨U+E0041⟩⟨U+001B⟩[2K⟨U+000D⟩';

test('5-f: what is not seen is drawn as escapes with a warning, and what runs is what was asked, byte for byte', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const command = `printf %s 'safe${UNSEEN}' > ${file}${'\n'.repeat(41)}true`;
  const made = await session({
    title: `Tidy ${UNSEEN}`,
    prompt: 'Go',
    script: [{ calls: [asking('c1', command, `Because ${UNSEEN}${'\n'.repeat(40)}of it`)] }, { text: 'Done.' }],
  });
  const { approvalId } = await onePending(door);
  const question = new Question(ui, approvalId);
  await expect(question.root).toContainText('Contains invisible characters');
  await expect(question.exact).toContainText(`safe${DRAWN}`);
  await expect(question.exact).toContainText('40 blank lines');
  await expect(question.root).toContainText(`Tidy ${DRAWN}`);
  await expect(question.root).toContainText(`Because ${DRAWN}`);
  await expect(question.root).toContainText('39 blank lines');
  expect(await question.root.textContent()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  await expect(ui.locator('.heard[role="status"]').filter({ hasText: 'Approval needed' })).not.toHaveText(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
  );
  await question.allow.click();
  await question.expectEnded('Allowed once.');
  await made.until('turn/end');
  expect(readFileSync(file, 'utf8')).toBe(`safe${UNSEEN}`);
  const [call] = await made.eventsOf('tool/call');
  expect(call?.data.input).toMatchObject({ command });
});

test('5-f: a path that reads otherwise is drawn as it is, with its change, and a new file is called new', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const path = join(folder, 'gpj.\u202etxt.sh');
  const input = { path, content: 'one\n\u200btwo\n', ...escalation() };
  await session({ prompt: 'Go', script: [{ calls: [{ id: 'c1', tool: 'write', input }] }, { text: 'Done.' }] });
  const question = new Question(ui, (await onePending(door)).approvalId);
  await expect(question.root).toContainText('gpj.⟨U+202E⟩txt.sh');
  await expect(question.root).toContainText('new file');
  await expect(question.exact).toContainText('+⟨U+200B⟩two');
  await expect(question.heading).toHaveText('Allow one new file to be written with full file access?');
});
