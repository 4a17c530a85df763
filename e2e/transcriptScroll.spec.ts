import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersIn, writeLongLog } from '../build/bench/longLog.ts';
import { expect, test as base } from './fixtures/test.ts';
import { onlySession, Shown } from './fixtures/transcript.ts';

const TURNS = 60;
/** So little that no row is seen before it is measured. */
const STEP = 40;
const call = (id: string) => ({ id, tool: 'bash', input: { command: `echo ${id}` } });
const LIVE = [
  { await: 'one', text: 'The first that is new.', calls: [call('live1')] },
  { await: 'two', text: 'The second that is new.', calls: [call('live2')] },
  { await: 'three', text: 'The third that is new.' },
];

/** A Session of 600 events, of which a window holds the last 300, and which goes on. */
const test = base.extend({
  home: async ({ home, folder, workspace }, use) => {
    const given = Array.from({ length: answersIn(TURNS) }, () => ({ text: 'Given already.' }));
    const script = join(folder, 'long.json');
    writeFileSync(script, JSON.stringify({ answers: [...given, ...LIVE] }));
    mkdirSync(join(home, 'sessions'), { mode: 0o700 });
    await writeLongLog({ home, id: 's_long', title: 'Long', workspace, turns: TURNS, agent: `script:${script}` });
    await use(home);
  },
});
test.describe.configure({ timeout: 60_000 });

test('the end is followed until a person scrolls up; then it is counted what is new, and a button goes there', async ({
  ui,
  door,
}) => {
  const made = await onlySession(door);
  await made.open(ui);
  const shown = new Shown(ui);
  await expect(shown.root.getByText(`Part ${TURNS} is done`)).toBeInViewport();
  await made.prompt('Go on');
  await made.release('one');
  await expect(shown.root.getByText('The first that is new.')).toBeInViewport();
  await expect(shown.card('live1')).toHaveAttribute('data-phase', 'ended');
  await expect(shown.card('live1')).toBeInViewport();
  await expect(shown.end).toBeHidden();

  await shown.scrollBy(-1_500);
  await expect(shown.end).toHaveText('To the end');
  const top = await shown.scroller.evaluate((element) => element.scrollTop);
  await made.release('two');
  await made.until('tool/result', TURNS + 2);
  await expect(shown.end).toHaveText('2 new');
  await made.release('three');
  await made.until('turn/end', TURNS + 1);
  await expect(shown.end).toHaveText('4 new');
  expect(await shown.scroller.evaluate((element) => element.scrollTop), 'nothing has moved').toBe(top);

  await shown.end.click();
  await expect(shown.root.getByText('The third that is new.')).toBeInViewport();
  await expect(shown.end).toBeHidden();
  const rest = () =>
    shown.scroller.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect.poll(rest).toBeLessThan(2);
});

test('older events come as one gets near them, and what is read stays where it is', async ({ ui, door }) => {
  await (await onlySession(door)).open(ui);
  const shown = new Shown(ui);
  await expect(shown.root.getByText(`Part ${TURNS} is done`)).toBeInViewport();
  const count = async () => Number(await shown.root.locator('.t-row').first().getAttribute('aria-setsize'));
  const held = await count();
  // Near the first of what is here, but not so near that more is asked for.
  await shown.scroller.evaluate((element) => element.scrollTo(0, 700));
  await shown.untilStill();
  expect(await count()).toBe(held);
  const strays: number[] = [];
  for (let grown = 0; grown < 4 && strays.length < 40; grown += (await count()) > held ? 1 : 0) {
    const anchor = await shown.readAt();
    await shown.scrollBy(-STEP);
    await shown.untilStill();
    strays.push((await shown.topOf(anchor)) - anchor.top - STEP);
  }
  expect(await count()).toBeGreaterThan(held);
  expect(strays.filter((stray) => Math.abs(stray) > 2)).toEqual([]);

  await shown.scroller.evaluate((element) => element.scrollTo(0, 0));
  await expect(shown.root.locator('.transcript-older'), 'all of it is here').toHaveCount(0);
  await shown.scroller.evaluate((element) => element.scrollTo(0, 0));
  await expect(shown.root.getByText('Part 1: go on with the next one.')).toBeInViewport();
});
