import { EVENTS_PER_TURN } from '../longLog.ts';
import { median, quantile, type Row } from '../measure.ts';
import { withHome, type StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import { Person } from './person.ts';

const TURNS = 10_000;
const LONG: StoredSession = {
  id: 's_long',
  title: 'Long',
  turns: TURNS,
  lastAnswer: 10_000_000,
  // Some fifty events a second, for as long as it is let.
  next: [
    {
      calls: [
        {
          id: 'live',
          tool: 'run_code',
          input: {
            title: 'Stream',
            code: 'for (;;) { await tools.read({ path: "a.txt" }); await new Promise((go) => setTimeout(go, 60)); }',
          },
        },
      ],
    },
  ],
};
const SHORT: StoredSession = { id: 's_short', title: 'Short', turns: 2, next: [] };

/** The answer with which the last turn of a stored log ends. */
const lastRow = (turns: number): string => `[data-seq="${turns * EVENTS_PER_TURN - 2}"]`;

/** 100,000 events, one of them a text of 10 MB in the last turn: to come to it, to type beneath it, to read back. */
export function measureLongLog(host: Host): Promise<readonly Row[]> {
  return withHome([LONG, SHORT], async (home) => {
    const { page, close } = await host.start(home);
    try {
      const person = await Person.at(page);
      const [first, ...later] = await chooseOften(person);
      const keys = await person.type(200);
      const scrolling = await person.longestTask(() => person.scrollUp(150));
      await person.choose('Short', lastRow(SHORT.turns));
      await person.choose('Long', lastRow(TURNS));
      await person.say('Go on');
      await page.locator('[data-call="live"][data-phase="running"]').waitFor();
      const live = await person.type(200);
      const ms = (name: string, measured: number, target: number): Row => ({
        name: `${host.name}, 100,000 events: ${name}`,
        unit: 'ms',
        measured,
        target,
      });
      return [
        ms('last screen after the click, the first time', first ?? Number.NaN, 300),
        ms('last screen after the click, median of 20 more', median(later), 300),
        ms('last screen after the click, slowest of 20 more', Math.max(...later), 300),
        ms('key to drawn, p95 of 200', quantile(keys, 0.95), 50),
        ms('key to drawn while 50 events a second come, p95 of 200', quantile(live, 0.95), 50),
        ms('longest task while ten pages are scrolled through', scrolling, 100),
      ];
    } finally {
      await close();
    }
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
