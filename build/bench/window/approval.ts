import { median, type Row } from '../measure.ts';
import type { StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import { drawnAt } from './page.ts';
import { withWindow } from './withWindow.ts';

const ROUNDS = 7;
/** 60 KiB of it, in lines as somebody would write them. */
const COMMAND = Array.from({ length: 1_300 }, (_, at) => `echo "line ${at} of what is asked for, and more"`)
  .join('\n')
  .slice(0, 60 * 1024);

/** A question about a long command: how soon it is seen, and how soon nothing of it can be pressed when it is withdrawn. */
export function measureApproval(host: Host): Promise<readonly Row[]> {
  return withWindow(host, [asks()], async ({ page, person }) => {
    await page.getByRole('treeitem', { name: 'Asks' }).click();
    await page.locator('#composer').waitFor();
    const [opened, withdrawn]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const drawn = page.evaluate(drawnAt, '[data-approval][data-state="open"]');
      const from = Date.now();
      await person.say('Go on');
      opened.push((await drawn) - from);
      await page.locator('[data-approval][data-armed="true"]').waitFor();
      withdrawn.push(await person.press('Stop', '[data-approval][data-state="ended"]'));
      await page.locator('[data-approval]').waitFor({ state: 'detached' });
    }
    const name = (what: string): string => `${host.name}, a question about a command of 60 KiB: ${what}`;
    return [
      { name: name('from the message until it is drawn'), unit: 'ms', measured: median(opened), target: 500 },
      { name: name('from Stop until no button is active'), unit: 'ms', measured: median(withdrawn), target: 1_000 },
    ];
  });
}

function asks(): StoredSession {
  const escalate = { to: 'danger-full-access', justification: 'It has to be.' };
  const input = { command: COMMAND, escalate };
  const next = Array.from({ length: ROUNDS }, (_, at) => ({ calls: [{ id: `asks${at}`, tool: 'bash', input }] }));
  return { id: 's_asks', title: 'Asks', turns: 2, next };
}
