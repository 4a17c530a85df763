import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { defaultLaunch } from '../../main/core/defaults.ts';
import { processTable } from '../../main/process/tree.ts';
import { until } from '../../main/process/until.ts';
import { Bubblewrap } from '../../main/sandbox/bubblewrap.ts';
import type { ConfinedLaunch, ConfinedProcess } from '../../main/sandbox/confined.ts';
import { plainStart, timed, toRow, type Row } from './measure.ts';

const never = new AbortController().signal;
/** A shell and four that are deaf to everything that can be ignored, two of them in sessions of their own. */
export const HOSTILE = `deaf='trap "" TERM INT HUP; while :; do sleep 1; done'
sh -c "$deaf # MARKER" & sh -c "$deaf # MARKER" & setsid sh -c "$deaf # MARKER" & setsid sh -c "$deaf # MARKER" &
echo up; trap '' TERM INT HUP; wait; wait; wait; wait # MARKER`;

/** `node -e 0` in the sandbox, and the end of a tree that does not want to. */
export async function measureSandbox(rounds = 21): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const runtime = [dirname(process.execPath)];
  const provider = new Bubblewrap({
    home: join(folder, 'home'),
    instance: `bench-${process.pid}`,
    runtime,
    variables: process.env,
    userHome: homedir(),
  });
  const launch = async (more: Pick<ConfinedLaunch, 'argv' | 'graceMs'>) => {
    const policy = await policyOf(workspace, folder);
    const request = { sessionId: 's_bench' as SessionId, policy, cwd: workspace, ...more };
    const started = await provider.launch(request, never);
    if (started.kind === 'unavailable') throw new Error(started.message);
    return started;
  };
  try {
    return [await startRow(launch, rounds), await killRow(launch, rounds)];
  } finally {
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Launch = (more: Pick<ConfinedLaunch, 'argv' | 'graceMs'>) => Promise<ConfinedProcess>;

async function startRow(launch: Launch, rounds: number): Promise<Row> {
  const [plain, measured]: [number[], number[]] = [[], []];
  const run = async () => (await launch({ argv: [process.execPath, '-e', '0'] })).closed;
  await run();
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await plainStart());
    measured.push(await timed(run));
  }
  return toRow({ name: 'sandboxed node, start to end', target: 1.4, plain, measured });
}

async function killRow(launch: Launch, rounds: number): Promise<Row> {
  const [plain, measured]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await plainStart());
    const marker = `hostile-${process.pid}-${round}`;
    // What it is asked politely first is a choice of whoever closes it; here it is ended at once.
    const tree = await launch({ argv: ['sh', '-c', HOSTILE.replaceAll('MARKER', marker)], graceMs: 0 });
    if (!(await until(async () => (await alive(marker)) >= 5, 10_000))) throw new Error('The tree did not come up');
    measured.push(await timed(() => tree.close()));
    const left = await alive(marker);
    if (left > 0) throw new Error(`${left} of the tree are alive after close()`);
  }
  return toRow({ name: 'kill of a hostile tree of five', target: 0.5, plain, measured });
}

async function alive(marker: string): Promise<number> {
  const lines = Array.from(processTable().keys(), (pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''));
  // The sandbox's own processes name the command too.
  return (await Promise.all(lines)).filter((line) => line.startsWith('sh\0') && line.includes(marker)).length;
}

export async function policyOf(path: string, home: string): Promise<SandboxPolicy> {
  const { dev, ino } = await stat(path, { bigint: true });
  const settings = { ...defaultLaunch(home, homedir()), hide: [] };
  return { mode: 'workspace-write', workspace: { path, device: `${dev}`, inode: `${ino}` }, settings };
}
