import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../process/identity.ts';
import { NEVER, World, type TestSession } from './world.fixture.ts';

let world: World;
beforeAll(async () => (world = await World.open()));
afterAll(() => world.close());

let count = 0;
const fresh = (): Promise<TestSession> => world.session(`s_${(count += 1)}`);

/** The causes of the Cleanups that a Session recorded. */
const causes = ({ journal }: TestSession) =>
  journal.events.flatMap((event) => (event.type === 'cleanup/asked' ? [event.data.cause.kind] : []));

describe('a limit of the whole tree', () => {
  it('PTC-9: of memory outside the heap ends that Environment alone, as a Cleanup, and the next program is told', async () => {
    const session = await fresh();
    session.limits = { memoryBytes: 400 * 2 ** 20 };
    const bystander = await (await fresh()).acquire();
    const environment = await session.acquire();
    const flood =
      'const a = []; for (;;) { a.push(Buffer.alloc(32 << 20, 1)); await new Promise((go) => setTimeout(go, 20)); }';
    expect(await session.runIn(environment, flood)).toMatchObject({ kind: 'lost', reason: 'memory-limit' });
    expect(isAlive(environment.process)).toBe(false);
    expect(causes(session)).toEqual(['limit']);
    expect(isAlive(bystander.process)).toBe(true);
    const next = await session.acquire();
    expect(next.lost).toEqual({ reason: 'memory-limit' });
    expect(await session.runIn(next, 'typeof a')).toMatchObject({ value: 'undefined' });
  });

  it('of processes ends a program that starts too many', async () => {
    const session = await fresh();
    session.limits = { processes: 60 };
    const bomb =
      'const { spawn } = require("child_process"); for (;;) { spawn("sleep", ["300"]).on("error", () => 0); await new Promise((go) => setTimeout(go, 5)); }';
    expect(await session.run(bomb)).toMatchObject({ kind: 'lost', reason: 'process-limit' });
    expect(causes(session)).toEqual(['limit']);
  });

  it('of the temp ends the Environment of a program that failed of it, with what it said', async () => {
    const session = await fresh();
    session.limits = { tempBytes: 4 * 2 ** 20 };
    const fill = 'let kept = 1; require("fs").writeFileSync("/tmp/fill", Buffer.alloc(8 << 20))';
    const completion = await session.run(fill);
    expect(completion).toMatchObject({ kind: 'lost', reason: 'temp-limit' });
    expect(completion.late.join('\n')).toContain('ENOSPC');
    expect(causes(session)).toEqual(['limit']);
    // It is full still: what does not fail of it goes on.
    expect(await session.value('require("fs").rmSync("/tmp/fill"); typeof kept')).toBe('undefined');
  });
});

it('says which setting is too small for any program to start, and what to set', async () => {
  const session = await fresh();
  session.limits = { dataBytes: 2 ** 30 };
  expect(await session.environments.acquire(await session.request(), NEVER)).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('launch.limits.dataBytes is 1073741824'),
    remedy: expect.stringContaining('1.5 GiB'),
  });
  session.limits = { dataBytes: 1.5 * 2 ** 30 };
  expect(await session.value('1')).toBe(1);
});
