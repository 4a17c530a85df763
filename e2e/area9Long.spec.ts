import type { CDPSession, Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersIn, EVENTS_PER_TURN, writeLongLog } from '../build/bench/longLog.ts';
import type { SessionId } from '../app/base/id.ts';
import { expect, test as base } from './fixtures/test.ts';

const TURNS = 2_000;
const LONG = 's_long' as SessionId; // An id is any text.
/** Six events a step, some fifty a second, for as long as anybody looks. */
const STEPS = Array.from({ length: 3_000 }, (_, at) => ({
  text: `Step ${at}.`,
  calls: [{ id: `live${at}`, tool: 'bash', input: { command: 'sleep 0.05' } }],
}));
const TYPED = 'What a person types while events arrive. '.repeat(5).slice(0, 200);

/** A Session of 20,000 events, which goes on and on. */
const test = base.extend({
  home: async ({ home, folder, workspace }, use) => {
    const answers = Array.from({ length: answersIn(TURNS) }, () => ({ text: 'Given already.' }));
    const script = join(folder, 'long.json');
    writeFileSync(script, JSON.stringify({ answers: [...answers, ...STEPS] }));
    writeFileSync(join(workspace, 'a.txt'), 'A');
    mkdirSync(join(home, 'sessions'), { mode: 0o700 });
    await writeLongLog({ home, id: LONG, title: 'Long', workspace, turns: TURNS, agent: `script:${script}` });
    await use(home);
  },
});
test.describe.configure({ timeout: 180_000 });

test('9-b: a hundred switches to a Session of 20,000 events and back leave no memory and few nodes behind', async ({
  ui,
  door,
  session,
}) => {
  const short = await session({ title: 'Short', script: [{ text: 'Short and done.' }], prompt: 'Go' });
  await short.until('turn/end');
  await door.request('session.open', { sessionId: LONG });
  await door.request('session.prompt', { sessionId: LONG, text: 'Go on' });
  const debuggee = await ui.context().newCDPSession(ui);
  await debuggee.send('Performance.enable');
  const rounds: Round[] = [];
  for (let round = 1; round <= 50; round += 1) {
    await show(ui, 'Long');
    await expect(ui.locator('[data-call^="live"]').last()).toBeInViewport();
    const shown = await ui.locator('*').count();
    await show(ui, 'Short');
    await expect(ui.getByText('Short and done.')).toBeInViewport();
    rounds.push({ shown, ...(await memoryOf(debuggee, round)) });
  }
  const [early, late] = [rounds[4], rounds[49]];
  expect(late?.heap ?? Infinity).toBeLessThan(1.1 * (early?.heap ?? 0));
  expect(Math.max(...rounds.map(({ shown }) => shown))).toBeLessThan(5_000);
  // Those that nothing shows any more are counted as well.
  expect(Math.max(...rounds.map(({ nodes }) => nodes))).toBeLessThan(5_000);
  await show(ui, 'Long');
  await ui.locator('#composer').pressSequentially(TYPED);
  await expect(ui.locator('#composer')).toHaveValue(TYPED);
  const { view } = await door.request('session.open', { sessionId: LONG });
  expect(view.seq).toBeGreaterThan(TURNS * EVENTS_PER_TURN + 100);
});

interface Round {
  readonly shown: number;
  readonly heap: number;
  readonly nodes: number;
}

async function show(page: Page, title: string): Promise<void> {
  await page.getByRole('treeitem', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

/** After everything that nobody holds is gone; that is looked for only where it is asked about. */
async function memoryOf(debuggee: CDPSession, round: number): Promise<Pick<Round, 'heap' | 'nodes'>> {
  if (round % 5 === 0) await debuggee.send('HeapProfiler.collectGarbage');
  const { metrics } = await debuggee.send('Performance.getMetrics');
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Infinity;
  return round % 5 === 0 ? { heap: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes') } : { heap: 0, nodes: 0 };
}
