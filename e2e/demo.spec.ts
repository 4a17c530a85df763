import { existsSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { SessionEvent } from '../app/session/events.ts';
import type { App } from './fixtures/app.ts';
import { onePending, Question } from './fixtures/approval.ts';
import { Demo } from './fixtures/demo.ts';
import type { Door } from './fixtures/door.ts';
import { choose, option, selector } from './fixtures/presets.ts';
import { isAlive, treeOf } from './fixtures/processes.ts';
import { expect, test } from './fixtures/test.ts';

// The offline demo on a first start, as a person goes through it, and what it claims held against log, disk and processes.

// Nothing of it is cut short; what is ended by force alone takes three seconds.
test.describe.configure({ timeout: 60_000 });
// So high that every row is drawn.
test.use({ settings: {}, viewport: { width: 1200, height: 2400 } });

const IN_PROJECT = ['project', 'project/notes.md'];
const WITH_OUTSIDE = ['outside.txt', ...IN_PROJECT];

async function start(ui: Page, door: Door): Promise<Demo> {
  await ui.getByRole('button', { name: 'Start the demo now' }).click();
  return Demo.in(ui, door);
}

async function asked(ui: Page, door: Door): Promise<Question> {
  const { approvalId } = await onePending(door);
  const question = new Question(ui, approvalId);
  await question.untilArmed();
  return question;
}

/** It writes in its workspace, and is stopped outside of it. */
async function expectDenied(demo: Demo): Promise<void> {
  await expect(demo.tag('notes', 'state')).toHaveText('new');
  await expect(demo.tag('count', 'state')).toHaveText('ok');
  await expect(demo.tag('outside', 'state')).toHaveText('exit 1');
  await demo.openCard('outside');
  const denied = demo.card('outside').getByRole('group', { name: 'Denied' });
  await expect(denied).toContainText('under Workspace write');
  await expect(demo.card('outside')).toContainText('Read-only file system');
  expect(demo.files()).toEqual(IN_PROJECT);
  expect(readFileSync(`${demo.session.workspace}/notes.md`, 'utf8')).toContain('Written by the offline demo.');
}

/** The answer is told from the log, at its event, by the dialog and by a row. */
async function expectAllowed(demo: Demo, question: Question): Promise<void> {
  const { seq, data } = await demo.session.until('approval/decided');
  expect(data).toMatchObject({ id: question.id, outcome: 'allowed-once', by: 'person' });
  await question.expectEnded(`Allowed once. Recorded at event ${seq}.`);
  await expect(demo.row(seq)).toContainText('Allowed once by you.');
  await expect(demo.tag('asked', 'state')).toHaveText('ok');
  expect(readFileSync(demo.outside, 'utf8')).toBe('Written by the demo\n');
  await demo.openCard('asked');
  const receipt = demo.card('asked').locator(`[data-receipt="${question.id}"]`);
  await expect(receipt).toContainText('Gone before the resultyes');
  await expect(receipt).toContainText('Standing Environmentunchanged');
  await expect(demo.tag('again', 'state')).toHaveText('ok');
  const [, again] = (await demo.session.eventsOf('tool/result')).filter(({ data: { tool } }) => tool === 'run_code');
  expect(again?.data.value, 'the variable of before').toBe(2);
}

/** The long program runs, prints, and the window shows what it prints. The processes of it. */
async function expectRunning(demo: Demo, app: App): Promise<readonly number[]> {
  const pids = await demo.longProcesses(app);
  await expect(demo.tag('long', 'state')).toHaveText('running');
  await demo.openCard('long');
  await expect(demo.card('long').locator('pre[aria-label="Output so far"]')).toContainText('tick 3');
  expect(pids.map(isAlive)).not.toContain(false);
  return pids;
}

/** Recorded at once, ended behind it, confirmed; what comes after runs under what was chosen. */
async function expectSwitched(
  ui: Page,
  { demo, pids, chips }: { readonly demo: Demo; readonly pids: readonly number[]; readonly chips: Chips },
): Promise<void> {
  await expect(selector(ui)).toHaveText('Read only');
  const { seq } = await demo.session.until('permission/preset', 2);
  const outcome = ui.locator('[data-outcome="recorded"]');
  await expect(outcome).toContainText(`Recorded at event ${seq}. Stopping 2 processes started under Workspace write.`);
  await expect(ui.locator('.head .chip', { hasText: /^Cleaning up/ }), 'nothing has waited for the end').toBeVisible();

  await ui.keyboard.press('Control+Shift+L');
  const rows = ui.locator('[data-region="drawer"] [data-cleanup]');
  await expect(rows).toHaveCount(2);
  for (const row of await rows.all()) {
    await expect(row).toHaveAttribute('data-phase', 'released');
    await expect(row).toContainText('the Mode changed: event');
  }
  await expect(outcome).toContainText('All 2 have ended.');
  expect((await chips.seen()).slice(-3)).toEqual(['Cleaning up 1', 'Clean', '']);
  expect(pids.filter(isAlive)).toEqual([]);
}

async function expectReadOnly(demo: Demo): Promise<void> {
  await demo.session.until('turn/end');
  await expect(demo.tag('long', 'state')).toHaveText('cancelled: Mode changed');
  await expect(demo.tag('left', 'lost')).toHaveText('variables are gone: Mode changed');
  await expect(demo.tag('later', 'state')).toHaveText('denied');
  const left = (await demo.session.eventsOf('tool/result')).find(({ data: { callId } }) => callId === 'left');
  expect(left?.data.value).toBe('undefined');
  await expect(demo.transcript).toContainText('That was all.');
}

/** What changed what may be done, or tells of an ending, has its row, and every row stands in the order of the log. */
async function expectRowsInLogOrder(demo: Demo): Promise<void> {
  const events = await demo.session.events();
  const facts = events.filter(({ type }) => FACTS.has(type)).map(({ seq }) => seq);
  await expect(async () => expect(await shownFrom(demo)).toEqual(expect.arrayContaining(facts))).toPass();
  const switched = events.findLast(({ type }) => type === 'permission/preset');
  await expect(demo.row(switched?.seq ?? -1)).toContainText('Preset Workspace write → Read only by you.');
}

/** The numbers of all rows, read from the first one to the last: what is far from what is in view is not drawn. */
async function shownFrom(demo: Demo): Promise<readonly number[]> {
  // The line of a turn has no number: it stands above the message that opened it.
  const rows = demo.transcript.locator('[data-seq]:not(.t-row-turn)');
  const scroller = demo.transcript.locator('.transcript-scroller');
  const shown = new Set<number>();
  await scroller.evaluate((box) => box.scrollTo(0, 0));
  await expect(demo.row(0)).toBeInViewport();
  for (let isOver = false; !isOver;) {
    const seqs = await rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-seq'))));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    for (const seq of seqs) shown.add(seq);
    isOver = await scroller.evaluate((box) => {
      const before = box.scrollTop;
      box.scrollBy(0, box.clientHeight / 2);
      return box.scrollTop === before;
    });
  }
  return [...shown];
}

const FACTS: ReadonlySet<SessionEvent['type']> = new Set([
  'permission/preset',
  'approval/asked',
  'approval/decided',
  'environment/started',
  'environment/ended',
  'cleanup/asked',
  'turn/end',
]);

interface Chips {
  /** Every different text of the cleanup chip, in the order in which they were shown, until it was hidden. */
  seen(): Promise<readonly string[]>;
}

/** They pass by themselves, so they are written down as they are drawn. */
async function watchChips(ui: Page): Promise<Chips> {
  await ui.locator('.chip-place').evaluate((place) => {
    const seen: string[] = [];
    Object.assign(window, { seenChips: seen });
    new MutationObserver(() => {
      const text = place.textContent;
      if (text !== (seen.at(-1) ?? '')) seen.push(text);
    }).observe(place, { childList: true, subtree: true, characterData: true });
  });
  const chip: Locator = ui.locator('.head .chip-place .chip');
  return {
    seen: async () => {
      await expect(chip).toBeHidden();
      return ui.evaluate(() => (window as unknown as { seenChips: string[] }).seenChips);
    },
  };
}

test('by the pointer: denied, asked, allowed once, run, switched, cleaned up, and nothing written after', async ({
  app,
  ui,
  door,
}) => {
  const demo = await start(ui, door);
  await expectDenied(demo);
  const question = await asked(ui, door);
  await expect(question.heading).toHaveText('Allow one command to run with full file access?');
  await expect(question.exact).toContainText('echo "Written by the demo" > ../outside.txt');
  await question.allow.click();
  await expectAllowed(demo, question);

  const pids = await expectRunning(demo, app);
  const chips = await watchChips(ui);
  await choose(ui, 'Read only');
  await expectSwitched(ui, { demo, pids, chips });
  await expectReadOnly(demo);
  await expectRowsInLogOrder(demo);
  expect(demo.files()).toEqual(WITH_OUTSIDE);

  const tree = treeOf(app.pid);
  expect(await app.stop()).toBe(0);
  expect([...pids, ...tree].filter(isAlive)).toEqual([]);
  expect(demo.files(), 'also not at the end').toEqual(WITH_OUTSIDE);
});

test('by keys alone: the same story', async ({ app, ui, door }) => {
  const button = ui.getByRole('button', { name: 'Start the demo now' });
  await expect(button).toBeVisible();
  await tabTo(ui, button);
  await ui.keyboard.press('Enter');
  const demo = await Demo.in(ui, door);
  const question = await asked(ui, door);
  await ui.keyboard.press('Control+Shift+A');
  await expect(question.heading).toBeFocused();
  await tabTo(ui, question.allow);
  await ui.keyboard.press('Space');
  const { data } = await demo.session.until('approval/decided');
  expect(data).toMatchObject({ id: question.id, outcome: 'allowed-once', by: 'person' });
  await expect.poll(() => demo.files()).toEqual(WITH_OUTSIDE);

  const pids = await demo.longProcesses(app);
  await ui.keyboard.press('Control+Shift+P');
  await ui.keyboard.press('Enter');
  await expect(option(ui, 'Workspace write')).toBeFocused();
  await ui.keyboard.press('ArrowUp');
  await ui.keyboard.press('Enter');
  await expectReadOnly(demo);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(demo.files()).toEqual(WITH_OUTSIDE);
});

test('a person who denies, with a note, is obeyed: nothing is written, and the demo goes on', async ({
  app,
  ui,
  door,
}) => {
  const demo = await start(ui, door);
  const question = await asked(ui, door);
  await question.denyWithNote.click();
  await ui.keyboard.type('Not outside of the project.');
  await question.untilArmed();
  await question.button('Deny with this note').click();
  const { seq } = await demo.session.until('approval/decided');
  await question.expectEnded(`Denied. Recorded at event ${seq}.`);
  await expect(demo.row(seq)).toContainText('Denied by you. Note: “Not outside of the project.”');
  await expect(demo.tag('asked', 'state')).toHaveText('denied by you');
  await demo.longProcesses(app);
  expect(existsSync(demo.outside)).toBe(false);
  expect(demo.files()).toEqual(IN_PROJECT);
});

test('a person who stops is obeyed: the program is over, its variable stays, and the next message goes on', async ({
  app,
  ui,
  door,
}) => {
  const demo = await start(ui, door);
  const question = await asked(ui, door);
  await question.deny.click();
  const [environment = 0, ...commands] = await demo.longProcesses(app);
  await ui.getByRole('button', { name: 'Stop', exact: true }).click();
  const { seq, data } = await demo.session.until('turn/end');
  expect(data).toMatchObject({ reason: 'aborted', by: 'person' });
  await expect(demo.row(seq)).toContainText('stopped by you.');
  await expect(demo.tag('long', 'state')).toHaveText('cancelled: stopped');
  await expect(ui.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
  await ui.keyboard.press('Control+Shift+E');
  const row = ui.locator('[data-region="drawer"] [data-environment]');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(`pid ${environment}`);
  await expect(row).toContainText('idle');
  await expect(row).toContainText('count');
  expect([environment, ...commands].filter(isAlive)).toEqual([environment]);

  await ui.locator('#composer').fill('Go on.');
  await ui.keyboard.press('Enter');
  await demo.session.until('turn/end', 2);
  await expect(demo.tag('later', 'state')).toHaveText('new');
  const left = (await demo.session.eventsOf('tool/result')).find(({ data: { callId } }) => callId === 'left');
  expect(left?.data.value, 'the program answered when it was told to stop').toBe('number');
  expect(demo.files()).toEqual([...IN_PROJECT, 'project/later.md'].toSorted());
});

/** Tab until this has the focus; it is an error when it never comes. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} is not reached by Tab`);
}
