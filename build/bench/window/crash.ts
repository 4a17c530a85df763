import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import { median, type Row } from '../measure.ts';
import type { StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import { withWindow } from './withWindow.ts';

const STORED: StoredSession = { id: 's_stored', title: 'Stored', turns: 100, next: [] };
const DRAFT = 'half a thought';
const BACK = `document.querySelector('#composer')?.value === '${DRAFT}' && document.querySelector('[data-seq="998"]') !== null`;
/** More of them in so short a time would be answered with a page that says so. */
const ROUNDS = 2;

/** From the end of the process that draws a window until the Session, its last rows and the draft are there again. */
export function measureCrash(host: Host): Promise<readonly Row[]> {
  return withWindow(host, [STORED], async ({ page }) => {
    await page.getByRole('treeitem', { name: STORED.title }).click();
    await page.locator('#composer').fill(DRAFT);
    // Playwright gives up a page that has crashed; its debugger does not.
    const debuggee = await page.context().newCDPSession(page);
    await debuggee.send('Inspector.enable');
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const crashed = new Promise((resolve) => debuggee.once('Inspector.targetCrashed', resolve));
      debuggee.send('Page.crash').catch(() => undefined); // Whoever would answer is gone.
      await crashed;
      const from = performance.now();
      while (!(await isBack(debuggee))) await pause(10);
      times.push(performance.now() - from);
    }
    const name = `${host.name}: from a crash of the page until everything is back`;
    return [{ name, unit: 'ms', measured: median(times), target: 3_000 }];
  });
}

async function isBack(debuggee: CDPSession): Promise<boolean> {
  const asked = debuggee.send('Runtime.evaluate', { expression: BACK, returnByValue: true });
  const gone = pause(1_000).then(() => undefined);
  const answer = await Promise.race([asked.catch(() => undefined), gone]);
  return answer?.result.value === true;
}
