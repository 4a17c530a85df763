import { browserFaults } from './faults/browserFaults.ts';
import { electronFaults } from './faults/electronFaults.ts';
import type { Fault, Watchers } from './faults/fault.ts';
import { Tree } from './faults/tree.ts';
import { build, watch, type Verdict } from './faults/watch.ts';
import { windowFaults } from './faults/windowFaults.ts';

// Plants one fault after another into a copy of the sources, builds it, and runs the tests that have to notice. A suite
// that stays green over a broken product is worth nothing (hosts.md, End-to-end tests). `npm run faults [word …]` plants
// only those whose name has one of the words.

interface Row {
  /** The tests that it is about. */
  readonly of: string;
  readonly name: string;
  readonly isCaught: boolean;
  readonly how: string;
}

const words = process.argv.slice(2);
const all: readonly Fault[] = [...electronFaults, ...browserFaults, ...windowFaults];
const faults = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
const tree = new Tree();
try {
  const clean = await checkClean();
  const red = new Set(clean.filter(({ isCaught }) => !isCaught).map(({ of }) => of));
  const planted: Row[] = [];
  for (const fault of faults) planted.push(tell(red.has(keyOf(fault.watchers)) ? unknown(fault) : await plant(fault)));
  const rows = [...clean, ...planted];
  const missed = rows.filter(({ isCaught }) => !isCaught);
  console.log(`\n${rows.length - missed.length} as expected, ${missed.length} not`);
  process.exitCode = missed.length === 0 && planted.length > 0 ? 0 : 1;
} catch (error) {
  if (!ended.signal.aborted) throw error;
  console.log('Stopped; nothing is known of the rest.');
  process.exitCode = 1;
} finally {
  tree.remove();
}

/** Without a fault everything is green; else red would say nothing. */
async function checkClean(): Promise<Row[]> {
  const refused = await build(tree.root, ended.signal);
  if (refused !== undefined) throw new Error(`Not even without a fault it can be built: ${firstError(refused)}`);
  const rows: Row[] = [];
  for (const watchers of together(faults.map((fault) => fault.watchers))) {
    const verdict = await watch(tree.root, watchers, ended.signal);
    const of = keyOf(watchers);
    rows.push(tell({ of, name: `no fault: ${of}`, isCaught: verdict.kind === 'green', how: describe(verdict) }));
  }
  return rows;
}

/** Those of one file run together. */
function together(wanted: readonly Watchers[]): Watchers[] {
  const byFile = new Map<string, Watchers>();
  for (const watchers of wanted) {
    const key = keyOf(watchers);
    const known = byFile.get(key);
    const both = known?.kind === 'journey' && watchers.kind === 'journey';
    byFile.set(key, both ? { ...watchers, titles: `${known.titles}|${watchers.titles}` } : watchers);
  }
  return [...byFile.values()];
}

function keyOf(watchers: Watchers): string {
  return watchers.kind === 'journey' ? `${watchers.project} ${watchers.file}` : watchers.file;
}

function unknown({ name, watchers }: Fault): Row {
  return { of: keyOf(watchers), name, isCaught: false, how: 'not planted: its tests are red without it' };
}

async function plant(fault: Fault): Promise<Row> {
  const { name, watchers } = fault;
  const of = keyOf(watchers);
  try {
    tree.plant(fault.edits);
    const refused = await build(tree.root, ended.signal);
    if (refused !== undefined) return { of, name, isCaught: true, how: `the build: ${firstError(refused)}` };
    const verdict = await watch(tree.root, watchers, ended.signal);
    return { of, name, isCaught: verdict.kind === 'red', how: describe(verdict) };
  } catch (error) {
    ended.signal.throwIfAborted();
    return { of, name, isCaught: false, how: error instanceof Error ? error.message : String(error) };
  } finally {
    tree.heal();
  }
}

function describe(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'green':
      return `green, ${verdict.tests} passed`;
    case 'red':
      return `red: ${verdict.by}`;
    case 'empty':
      return `no test ran: ${firstError(verdict.said)}`;
  }
}

function firstError(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|unexpected|must|requires/i.test(line)) ?? lines.find((line) => line !== '') ?? '';
}

function tell(row: Row): Row {
  console.log(`${row.isCaught ? 'ok ' : 'NOT'}  ${row.name.padEnd(64)}  ${row.how.slice(0, 160)}`);
  return row;
}
