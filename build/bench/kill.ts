import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { identityOf, isAlive, readProc } from '../../main/process/identity.ts';
import { processTable } from '../../main/process/tree.ts';
import { until } from '../../main/process/until.ts';
import { plainStart, timed, toRow, type Row } from './measure.ts';
import { HOSTILE } from './sandbox.ts';

const SESSIONS = 5;
/** Of each hostile tree: the shell and its four, and the sandbox around them. */
const EACH = 6;

/** From the SIGKILL to an app until nothing is alive of what it had sandboxed, hostile trees in some Sessions. */
export async function measureKilledApp(rounds = 11): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const [plain, measured]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plainStart());
      measured.push(await killOnce(folder, workspace, `killed-${process.pid}-${round}`));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [toRow({ name: `app killed, ${SESSIONS} hostile trees gone`, target: 1, plain, measured })];
}

async function killOnce(folder: string, workspace: string, marker: string): Promise<number> {
  const script = join(import.meta.dirname, 'killedApp.ts');
  const line = [script, folder, workspace, `${SESSIONS}`, 'sh', '-c', HOSTILE.replaceAll('MARKER', marker)];
  const app = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(app.stdout, 'data');
    const up = async () => markedWith(marker, app.pid).length >= SESSIONS * EACH;
    if (!(await until(up, 20_000))) throw new Error('The trees did not come up');
    const all = markedWith(marker, app.pid);
    return await timed(async () => {
      app.kill('SIGKILL');
      if (!(await until(() => !all.some(isAlive), 20_000))) throw new Error('Something outlives its app');
    });
  } finally {
    app.kill('SIGKILL');
  }
}

function markedWith(marker: string, app: number | undefined): readonly ProcessIdentity[] {
  const pids = [...processTable().keys()].filter((pid) => pid !== app && readProc(pid, 'cmdline')?.includes(marker));
  return pids.flatMap((pid) => identityOf(pid) ?? []);
}
