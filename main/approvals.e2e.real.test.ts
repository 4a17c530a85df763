import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  command,
  createWorld,
  escalate,
  file,
  program,
  TestSession,
  type TestAnswer,
  type World,
} from './core.fixture.ts';

// Some start the product twice.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

const content = (name: string): string | undefined => {
  const path = join(world.folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};
const wide = escalate('danger-full-access');
const nestedAsk = `await tools.bash({ command: 'echo x >> ../no.txt', escalate: ${JSON.stringify(wide['escalate'])} })`;
const decidedOf = async (session: TestSession) => await session.of('approval/decided');

describe('a question that waits', () => {
  it('5-a: is there again when its door comes back, is answered by no message, and holds none of them up for good', async () => {
    const session = await world.session([{ calls: [command('a', 'echo x >> ../out.txt', wide)] }, { text: 'Done.' }]);
    await session.begin();
    const { approvalId, subject } = await session.asked('a');
    world.attend();
    const { approvals } = await world.request('approval.list', {});
    expect(approvals).toMatchObject([{ approvalId, subject }]);
    const { seq } = await world.request('session.prompt', { sessionId: session.id, text: 'allow-once' });
    expect(await session.view()).toMatchObject({ queued: [seq], approvals: [approvalId], state: 'waiting' });
    expect(content('out.txt')).toBeUndefined();
    await session.decide('a', 'allow-once');
    expect(await session.idle()).toBe('completed');
    expect(content('out.txt')).toBe('x\n');
    expect((await session.view()).queued).toEqual([]);
  });

  it('5-c: is withdrawn by a switch with the program that asked, a late Allow grants nothing, and the next prompt starts', async () => {
    const session = await world.turns([[program('a', nestedAsk)], [command('b', 'echo y > ../no.txt', wide)]]);
    await session.begin();
    const { approvalId } = await session.asked('a:1');
    await session.setMode('read-only');
    expect(await world.request('approval.decide', { approvalId, decision: 'allow-once' })).toEqual({
      settled: false,
      by: 'system',
      outcome: 'cancelled',
    });
    await session.idle();
    const next = session.turn();
    const other = await session.asked('b');
    expect(other.approvalId).not.toBe(approvalId);
    expect((await world.request('approval.list', {})).approvals).toMatchObject([{ approvalId: other.approvalId }]);
    await session.decide('b', 'deny');
    expect(await next).toMatchObject([{ status: 'refused', code: 'rejected' }]);
    expect(await decidedOf(session)).toMatchObject([{ reason: 'mode-changed' }, { outcome: 'rejected' }]);
    expect(content('no.txt')).toBeUndefined();
    await session.expectVerified();
  });

  it.each<[string, string, (session: TestSession) => Promise<unknown>]>([
    ['a Stop', 'stopped', ({ id }) => world.request('session.stop', { sessionId: id })],
    ['another mode', 'mode-changed', (session) => session.setMode('read-only')],
    ['never', 'policy-never', ({ id }) => world.request('approvalPolicy.set', { sessionId: id, policy: 'never' })],
    [
      'other launch settings',
      'call-aborted',
      () => writeFile(join(world.home, 'settings.json'), '{"launch":{"hide":["/nowhere"]}}'),
    ],
  ])('is withdrawn by %s with the reason %s, and nothing runs', async (_what, reason, end) => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', wide)]]);
    await session.begin();
    await session.asked('a');
    await end(session);
    await session.idle();
    expect(await decidedOf(session)).toMatchObject([{ outcome: 'cancelled', reason }]);
    expect((await session.of('tool/started')).map(({ callId }) => callId)).toEqual([]);
    expect(content('no.txt')).toBeUndefined();
    await session.expectVerified();
  });

  it('is withdrawn as call-aborted by the end of the program whose call nobody awaited', async () => {
    // The program is over when its question waits: what it reads then comes into being with that.
    const code = `${nestedAsk.replace('await ', '')}.catch(() => undefined);
while (!require('node:fs').existsSync('asked')) await new Promise((resolve) => setTimeout(resolve, 5));`;
    const session = await world.turns([[program('a', code)]]);
    const running = session.one();
    await session.asked('a:1');
    await writeFile(join(world.workspace, 'asked'), '');
    expect(await running).toMatchObject({ status: 'ok' });
    expect(await decidedOf(session)).toMatchObject([{ outcome: 'cancelled', reason: 'call-aborted' }]);
    expect(content('no.txt')).toBeUndefined();
  });

  it('is withdrawn as shutdown when the product closes', async () => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', wide)]]);
    await session.begin();
    const { approvalId } = await session.asked('a');
    await world.close({ keep: true });
    world = await createWorld({ folder: world.folder });
    const later = new TestSession(world, session.id);
    expect(await decidedOf(later)).toMatchObject([{ id: approvalId, outcome: 'cancelled', reason: 'shutdown' }]);
    await later.expectVerified();
  });
});

describe('an answer', () => {
  it('5-e: is remembered for nothing: the same call, after a restart, and with another name, asks again', async () => {
    const fresh = (name: string) =>
      `globalThis.left = 1; require('node:fs').appendFileSync('../${name}', 'x'); typeof v`;
    const call = (id: string, name = 'out.txt') => program(id, fresh(name), wide);
    const answers: TestAnswer[] = [
      { calls: [program('keep', 'const v = 1; v'), call('one'), program('look', '[v, typeof left]')] },
      { calls: [call('two')] },
      { calls: [call('three', 'other.txt')] },
      { text: 'Done.' },
      { calls: [call('four')] },
      { text: 'Done.' },
    ];
    const session = await world.session(answers);
    const running = session.turn();
    await session.decide('one', 'allow-once');
    await session.decide('two', 'deny');
    await session.decide('three', 'deny');
    expect(await running).toMatchObject([
      { value: 1 },
      { status: 'ok', value: 'undefined' },
      { value: [1, 'undefined'] },
      { code: 'rejected' },
      { code: 'rejected' },
    ]);
    await world.close({ keep: true });
    world = await createWorld({ folder: world.folder });
    const later = new TestSession(world, session.id);
    await world.request('session.open', { sessionId: session.id });
    const again = later.turn();
    await later.decide('four', 'deny');
    expect(await again).toMatchObject([{ code: 'rejected' }]);
    expect([content('out.txt'), content('other.txt')]).toEqual(['x', undefined]);
    expect((await later.of('approval/asked')).map(({ callId }) => callId)).toEqual(['one', 'two', 'three', 'four']);
    expect((await later.of('sandbox/mode')).map(({ mode }) => mode)).toEqual(['workspace-write']);
    await later.expectVerified();
  });

  it('that rejects reaches the agent with the note as it is, and the turn goes on', async () => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', wide)]]);
    const running = session.turn();
    const note = ' Not *today*:\n use the cache… ';
    await session.decide('a', 'deny', note);
    expect(await running).toMatchObject([{ content: `Rejected by the user. Nothing ran. The user says: ${note}` }]);
    expect(await session.idle()).toBe('completed');
    expect(await decidedOf(session)).toMatchObject([{ outcome: 'rejected', by: 'person', note }]);
  });

  it('is for the file as a person was shown it: one that has changed since, or is there by now, is stale', async () => {
    const path = join(world.workspace, 'a.txt');
    await writeFile(path, 'one');
    const more = escalate('workspace-write');
    const session = await world.turns(
      [
        [
          file('read', 'read', { path: 'a.txt' }),
          file('edit', 'edit', { path: 'a.txt', old: 'one', new: 'two', ...more }),
        ],
        [file('new', 'write', { path: 'b.txt', content: 'mine', ...more })],
      ],
      { preset: 'read-only' },
    );
    const editing = session.turn();
    await session.asked('edit');
    await writeFile(path, 'one, theirs');
    await session.decide('edit', 'allow-once');
    expect((await editing).at(-1)).toMatchObject({ code: 'stale' });
    const making = session.turn();
    await session.asked('new');
    await writeFile(join(world.workspace, 'b.txt'), 'theirs');
    await session.decide('new', 'allow-once');
    expect(await making).toMatchObject([{ code: 'not-read' }]);
    expect([content('repo/a.txt'), content('repo/b.txt')]).toEqual(['one, theirs', 'theirs']);
    await session.expectVerified();
  });

  it('is for the folder as a person was shown it: a link that leads elsewhere by now runs nothing', async () => {
    await mkdir(join(world.workspace, 'inside'));
    await mkdir(join(world.folder, 'outside'));
    const link = join(world.workspace, 'link');
    await symlink('inside', link);
    const session = await world.turns([[command('a', 'echo x > made.txt', { cwd: 'link', ...wide })]]);
    const running = session.one();
    expect((await session.asked('a')).subject).toMatchObject({ cwd: join(world.workspace, 'inside') });
    await rm(link);
    await symlink('../outside', link);
    await session.decide('a', 'allow-once');
    expect(await running).toMatchObject({ status: 'refused', code: 'denied' });
    expect([content('outside/made.txt'), content('repo/inside/made.txt')]).toEqual([undefined, undefined]);
    await session.expectVerified();
  });
});

it('5-h: three Sessions that ask for full access: one has it, one may not ask, one asks once', async () => {
  const ask = [command('a', 'echo x >> ../out.txt', wide)];
  const full = await world.turns([ask, [command('b', 'echo x >> ../out.txt', escalate('read-only'))]], {
    preset: 'danger-full-access',
  });
  const [never, asking] = [await world.turns([ask]), await world.turns([ask])];
  await world.request('approvalPolicy.set', { sessionId: never.id, policy: 'never' });
  expect(await full.one()).toMatchObject({ status: 'ok', content: expect.stringContaining('mode in force') as string });
  expect(await full.one()).toMatchObject({ status: 'refused', code: 'not-wider' });
  expect(await never.one()).toMatchObject({
    status: 'refused',
    code: 'rejected',
    content: expect.stringContaining('approval policy is never') as string,
  });
  expect(world.pushes.filter(({ push }) => push === 'approval')).toEqual([]);
  const running = asking.one();
  await asking.decide('a', 'allow-once');
  expect(await running).toMatchObject({ status: 'ok' });
  expect(await asking.of('approval/asked')).toHaveLength(1);
  expect(content('out.txt')).toBe('x\nx\n');
});
