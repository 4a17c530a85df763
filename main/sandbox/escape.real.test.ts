import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFINED, END, triesOf, type Finding, type Way } from './escapeTries.fixture.ts';
import { LEAKED } from './prison.fixture.ts';
import { createWorld } from './world.fixture.ts';

const repository = dirname(dirname(import.meta.dirname));
const isRoot = process.geteuid?.() === 0;
const ORDINARY = 4242;

/** Below a folder that everybody can reach, because the repository itself may lie in a private one. */
let reachable: string;
let leaked: number;
beforeAll(() => {
  reachable = mkdtempSync('/var/tmp/gatehouse-escape-');
  for (const name of ['leak', 'repository']) mkdirSync(join(reachable, name));
  for (const path of [reachable, join(reachable, 'leak')]) chmodSync(path, 0o777);
  leaked = openSync(join(reachable, 'leak'), 'r');
});
afterAll(() => {
  closeSync(leaked);
  rmSync(reachable, { recursive: true, force: true });
});

/** As an ordinary user the repository is seen through a mount of its own, in a namespace that ends with the run. */
function asOrdinary(what: string): readonly string[] {
  const seen = join(reachable, 'repository');
  const path = realpathSync(process.execPath);
  const node = path.startsWith(`${repository}/`) ? seen + path.slice(repository.length) : path;
  const drop = `setpriv --reuid ${ORDINARY} --regid ${ORDINARY} --clear-groups --inh-caps=-all`;
  const script = `mount --bind "$0" ${seen} && exec ${drop} ${node} ${seen}/main/sandbox/escapeRun.fixture.ts ${what}`;
  return ['unshare', '-m', 'sh', '-c', script, repository];
}

function asOurselves(what: string): readonly string[] {
  return [process.execPath, join(repository, 'main/sandbox/escapeRun.fixture.ts'), what];
}

async function findings(argv: readonly string[]): Promise<readonly Finding[]> {
  const [program = '', ...rest] = argv;
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe'];
  while (stdio.length < LEAKED) stdio.push('ignore');
  const child = spawn(program, rest, { stdio: [...stdio, leaked], cwd: '/' });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += String(chunk)));
  child.stderr?.on('data', (chunk) => (err += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The table could not be run: ${err}`);
  // Each line was written by the fixture from a Finding.
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
}

const identities = [
  { who: isRoot ? 'root' : 'ourselves', command: asOurselves },
  ...(isRoot ? [{ who: 'an ordinary user', command: asOrdinary }] : []),
];

/** The table by itself, and from inside what an agent has: nothing that it may use is a way around the sandbox. */
const ways: readonly { readonly through: string; readonly way: Way }[] = [
  { through: 'as a plain process', way: 'table' },
  { through: 'through bash', way: 'bash' },
  { through: 'through run_code', way: 'programs' },
];

describe.each(identities)('as $who', ({ command }) => {
  describe.each(ways)('$through', ({ way }) => {
    let found: readonly Finding[];
    beforeAll(async () => {
      found = await findings(command(way));
    }, 300_000);

    describe.each(CONFINED)('in %s', (mode) => {
      it.each([...triesOf(way).map(({ name }) => name), END])('holds: %s', (name) => {
        expect(found.find((finding) => finding.mode === mode && finding.name === name)).toMatchObject({
          held: true,
          broken: [],
        });
      });
    });
  });

  it('tries with probes that do harm where nothing confines them', async () => {
    const harmless = (await findings(command('controls'))).filter(({ held }) => held);
    expect(harmless.map(({ name, output }) => `${name}: ${output}`)).toEqual([]);
  }, 120_000);
});

/** What the dropped capabilities are for. Only root has any to keep. */
describe.each(isRoot ? ['root'] : [])('as %s', () => {
  it('gets out of a bubblewrap that keeps its capabilities', async () => {
    const world = createWorld();
    const loot = join(world.outside, 'pwned');
    const escape = `mount -o remount,rw,bind / && touch '${loot}'`;
    const careless = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', 'sh', '-c', escape];
    spawnSync('bwrap', careless, { stdio: 'ignore', timeout: 10_000 });
    const got = existsSync(loot);
    await world.remove();
    expect(got).toBe(true);
  });
});
