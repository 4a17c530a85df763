import { EVENTS_PER_TURN } from '../longLog.ts';
import { median, quantile, type Row } from '../measure.ts';
import type { StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import type { Person } from './person.ts';
import { withWindow } from './withWindow.ts';

const TURNS = 10_000;
/** Three events a call: some fifty a second, for as long as it is let. */
const STREAM = 'for (;;) { await tools.read({ path: "a.txt" }); await new Promise((go) => setTimeout(go, 60)); }';
const LONG: StoredSession = {
  id: 's_long',
  title: 'Long',
  turns: TURNS,
  lastAnswer: 10_000_000,
  next: [{ calls: [{ id: 'live', tool: 'run_code', input: { title: 'Stream', code: STREAM } }] }],
};
const SHORT: StoredSession = { id: 's_short', title: 'Short', turns: 2, next: [] };

/** The answer with which the last turn of a stored log ends. */
const lastRow = (turns: number): string => `[data-seq="${turns * EVENTS_PER_TURN - 2}"]`;

/** 100,000 events, one of them a text of 10 MB in the last turn: to come to it, to type beneath it, to read back. */
export function measureLongLog(host: Host): Promise<readonly Row[]> {
  return withWindow(host, [LONG, SHORT], async ({ page, person }) => {
    const [first = Number.NaN, ...later] = await chooseOften(person);
    const keys = await person.type(200);
    const scrolling = await person.longestTask(() => person.scrollUp(450));
    await person.choose('Short', lastRow(SHORT.turns));
    await person.choose('Long', lastRow(TURNS));
    await person.say('Go on');
    await page.locator('[data-call="live"][data-phase="running"]').waitFor();
    const live = await person.type(200);
    const name = (what: string): string => `${host.name}, 100,000 events: ${what}`;
    return [
      { name: name('first click to last screen'), unit: 'ms', measured: first, target: 300 },
      { name: name('later click to last screen, median of 20'), unit: 'ms', measured: median(later), target: 300 },
      { name: name('the slowest of them'), unit: 'ms', measured: Math.max(...later), target: 300 },
      { name: name('key to drawn, p95 of 200'), unit: 'ms', measured: quantile(keys, 0.95), target: 50 },
      { name: name('the same while 50 events a second come'), unit: 'ms', measured: quantile(live, 0.95), target: 50 },
      { name: name('longest task while scrolling back'), unit: 'ms', measured: scrolling, target: 100 },
    ];
  });
}

async function chooseOften(person: Person): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    times.push(await person.choose('Long', lastRow(TURNS)));
    await person.choose('Short', lastRow(SHORT.turns));
  }
  await person.choose('Long', lastRow(TURNS));
  return times;
}
