import type { Page } from 'playwright';
import { median, type Row } from '../measure.ts';
import { withHome, type StoredSession } from './home.ts';
import type { Host, Running } from './hosts.ts';
import { drawnAt } from './page.ts';

const ROUNDS = 7;
const STORED: StoredSession = { id: 's_stored', title: 'Stored', turns: 100, next: [] };
/** The last row that the log makes, and the field beneath it. */
const LAST = '[data-seq="998"]';

/** From the start of the program until its window can be used; then the same for a window that loads anew. */
export function measureStart(host: Host): Promise<readonly Row[]> {
  return withHome([STORED], async (home) => {
    const [starts, loads]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = Date.now();
      const running = await host.start(home);
      try {
        starts.push((await usable(running.page, '[aria-busy="false"] h1')) - from);
        loads.push(await reload(running));
      } finally {
        await running.close();
      }
    }
    return [
      {
        name: `${host.name}: from its start until the window can be used`,
        unit: 'ms',
        measured: median(starts),
        target: 1_000,
      },
      {
        name: `${host.name}: from a reload until a Session can be used`,
        unit: 'ms',
        measured: median(loads),
        target: 1_000,
      },
    ];
  });
}

async function reload({ page }: Running): Promise<number> {
  await page.getByRole('treeitem', { name: STORED.title }).click();
  await page.locator(LAST).waitFor();
  const from = Date.now();
  await page.reload({ waitUntil: 'commit' });
  const drawn = await usable(page, LAST);
  await page.locator('#composer').focus();
  return drawn - from;
}

/** When what a selector names was drawn, by the clock of this machine. A new window has an empty page before its own. */
async function usable(page: Page, selector: string): Promise<number> {
  for (;;) {
    const at = await page.evaluate(drawnAt, selector).catch(() => undefined);
    if (at !== undefined) return at;
    if (page.isClosed()) throw new Error('The window was closed before it could be used');
  }
}
