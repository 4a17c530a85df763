import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tailOf, utf8Bytes } from '../../app/base/text.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import { readProc, rowOf } from '../process/identity.ts';
import { createWorld, never, session, type World } from '../sandbox/world.fixture.ts';
import { ConfinedCommands } from './commands.ts';

let world: World;
let commands: ConfinedCommands;
beforeAll(() => {
  world = createWorld();
  const keep = async (_: unknown, text: string) => ({ text: tailOf(text), bytes: utf8Bytes(text), dropped: 0 });
  commands = new ConfinedCommands({ confiner: world.provider, keep, path: process.env['PATH'] ?? '' });
});
afterAll(() => world.remove());

async function call(mode: Mode): Promise<void> {
  const request = { run: { shell: '(sleep 0.1 &)' }, cwd: world.workspace, timeoutMs: 60_000 };
  const started = await commands.start(request, { sessionId: session('z'), policy: world.policy(mode) }, never);
  if (started.kind !== 'running') throw new Error(started.message);
  await started.done;
}

/** This process and everything below it, dead or alive, and the descriptors that it has open. */
function held() {
  const below = descendants(process.pid);
  const defunct = below.filter((pid) => rowOf(pid)?.state === 'Z').length;
  return { defunct, processes: below.length, descriptors: readdirSync('/proc/self/fd').length };
}

/** The pipes that are kept ready are made anew some time after a call: what is held is known once it stays the same. */
async function heldAtRest(): Promise<ReturnType<typeof held>> {
  let [last, same] = [held(), 0];
  const look = () => {
    const now = held();
    same = now.descriptors === last.descriptors ? same + 1 : 0;
    last = now;
    return same;
  };
  await expect.poll(look, { timeout: 30_000, interval: 700 }).toBeGreaterThan(2);
  return last;
}

function descendants(pid: number): readonly number[] {
  const children = (readProc(pid, `task/${pid}/children`) ?? '').split(' ').filter((text) => text !== '');
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

it.each<[Mode, number]>([
  ['workspace-write', 300],
  ['danger-full-access', 24],
])(
  '4-e: leaves no defunct process, no other one and no descriptor after short calls with orphans, in %s',
  async (mode, calls) => {
    await call(mode);
    const before = await heldAtRest();
    for (let done = 0; done < calls; done += 4) await Promise.all([call(mode), call(mode), call(mode), call(mode)]);
    await expect
      .poll(
        () => {
          const { defunct, processes, descriptors } = held();
          return {
            defunct: defunct <= 5,
            processes: Math.abs(processes - before.processes) <= 5,
            descriptors: Math.abs(descriptors - before.descriptors) <= 5,
          };
        },
        { timeout: 20_000 },
      )
      .toEqual({ defunct: true, processes: true, descriptors: true });
  },
  240_000,
);
