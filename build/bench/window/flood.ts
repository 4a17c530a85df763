import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright';
import { quantile, type Row } from '../measure.ts';
import type { StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import { withWindow } from './withWindow.ts';

const MINUTE_MS = 60_000;
/** The longest that one command may take. */
const LONGEST_MS = 10 * MINUTE_MS;
const LINE = 'a line of what a build prints, over and over, with a path such as /src/part/of/it.ts:12:34 in it';
const SETTLED_MS = 10_000;
const WATCHED_MS = 20_000;
const LOOK_MS = 15_000;

/** A command that prints as fast as it is let, for minutes, in an opened card: the window goes on and does not grow. */
export function measureFlood(host: Host, minutes: number): Promise<readonly Row[]> {
  return withWindow(host, [flood(minutes)], async ({ page, person, home }) => {
    await page.getByRole('treeitem', { name: 'Flood' }).click();
    await person.say('Go on');
    await page.locator('[data-call="flood0"] [data-row-button]').click();
    const memory = await Memory.of(await page.context().newCDPSession(page));
    await pause(SETTLED_MS);
    const longest = await person.longestTask(() => pause(WATCHED_MS));
    const keys = await person.type(100);
    const heap = await growth(memory, minutes * MINUTE_MS);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' });
    const name = (what: string): string => `${host.name}, a command prints without end: ${what}`;
    const target = 1.1 * heap.before;
    return [
      { name: name('what is read of it a second'), unit: 'MB', measured: await rateOf(home) },
      { name: name('longest task in 20 s'), unit: 'ms', measured: longest, target: 100 },
      { name: name('key to drawn, p95 of 100'), unit: 'ms', measured: quantile(keys, 0.95), target: 50 },
      { name: name('heap of the window at first'), unit: 'MB', measured: heap.before },
      { name: name(`the same ${minutes} minutes later`), unit: 'MB', measured: heap.after, target },
      { name: name('the most in between'), unit: 'MB', measured: heap.most, target },
    ];
  });
}

async function growth(memory: Memory, ms: number): Promise<Record<'before' | 'after' | 'most', number>> {
  const before = await memory.used();
  let [after, most] = [before, before];
  for (const end = performance.now() + ms; performance.now() < end;) {
    await pause(Math.min(LOOK_MS, end - performance.now()));
    after = await memory.used();
    most = Math.max(most, after);
  }
  return { before, after, most };
}

function flood(minutes: number): StoredSession {
  const count = Math.ceil((minutes * MINUTE_MS) / LONGEST_MS) + 1;
  const input = { command: `yes '${LINE}'`, timeoutMs: LONGEST_MS };
  const next = Array.from({ length: count }, (_, at) => ({ calls: [{ id: `flood${at}`, tool: 'bash', input }] }));
  return { id: 's_flood', title: 'Flood', turns: 2, next };
}

class Memory {
  readonly #debuggee: CDPSession;

  static async of(debuggee: CDPSession): Promise<Memory> {
    await debuggee.send('Performance.enable');
    return new Memory(debuggee);
  }

  private constructor(debuggee: CDPSession) {
    this.#debuggee = debuggee;
  }

  /** In MB, when everything that nobody holds is gone. */
  async used(): Promise<number> {
    await this.#debuggee.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#debuggee.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
  }
}

interface Ended {
  readonly type: string;
  readonly data: { readonly facts?: { readonly durationMs: number; readonly output: { readonly bytes: number } } };
}

/** What the log says of the last command, in MB a second. */
async function rateOf(home: string): Promise<number> {
  const log = await readFile(join(home, 'sessions', 's_flood', 'session.jsonl'), 'utf8');
  const events = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Ended); // The store wrote it.
  const facts = events.findLast(({ type }) => type === 'tool/result')?.data.facts;
  return facts ? facts.output.bytes / facts.durationMs / 1_000 : Number.NaN;
}
