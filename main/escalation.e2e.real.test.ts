import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, createWorld, escalate, file, program, type TestSession, type World } from './core.fixture.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

const content = (name: string): string | undefined => {
  const path = join(world.folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

describe('a one-time escalation', () => {
  it('ESC-1: runs the denied command once under the wider mode, and the next call is read-only again', async () => {
    const write = (name: string) => `echo x > ${name} && echo $GATEHOUSE_MODE`;
    const session = await world.turns(
      [
        [command('a', write('a.txt'))],
        [command('b', write('b.txt'), escalate('workspace-write'))],
        [command('c', write('c.txt'))],
      ],
      { preset: 'read-only' },
    );
    expect(await session.one()).toMatchObject({
      status: 'ok',
      denied: [{ mode: 'read-only' }],
      facts: { exitCode: 1 },
    });
    const asked = session.one();
    expect(await session.asked('b')).toMatchObject({
      tool: 'bash',
      subject: { kind: 'command', command: write('b.txt'), cwd: world.workspace },
      justification: 'because',
      scope: { kind: 'once', from: 'read-only', to: 'workspace-write' },
    });
    await session.decide('b', 'allow-once');
    expect(await asked).toMatchObject({
      status: 'ok',
      facts: { exitCode: 0, output: { text: 'workspace-write\n' } },
      receipt: { mode: 'workspace-write', exitCode: 0, releasedBeforeReturn: true },
    });
    expect(await session.one()).toMatchObject({ denied: [{ mode: 'read-only' }] });
    expect(['a', 'b', 'c'].map((name) => content(`repo/${name}.txt`))).toEqual([undefined, 'x\n', undefined]);
    expect((await session.view()).mode).toBe('read-only');
    await session.expectVerified();
  });

  it('ESC-2: runs nothing when the person rejects, and says who did with the note verbatim', async () => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    const running = session.one();
    await session.decide('a', 'deny', 'not <today>');
    const result = await running;
    expect(result).toMatchObject({
      status: 'refused',
      code: 'rejected',
      content: expect.stringMatching(/user|person/i),
    });
    expect(result.content).toContain('not <today>');
    expect(content('no.txt')).toBeUndefined();
    expect(await session.of('tool/started')).toEqual([]);
  });

  it.each([
    ['without a justification', { escalate: { to: 'danger-full-access' } }],
    ['with a blank one', escalate('danger-full-access', ' \n')],
  ])('ESC-4: is a validation error and no question %s', async (_name, more) => {
    const session = await world.turns([
      [
        command('a', 'echo x > ../no.txt', more),
        program('b', "require('fs').writeFileSync('../no.txt', 'x')", more),
        file('c', 'write', { path: '../no.txt', content: 'x', ...more }),
      ],
    ]);
    const results = await session.turn();
    expect(results.map(({ status, code }) => [status, code])).toEqual(Array(3).fill(['refused', 'invalid-input']));
    expect(await session.of('approval/asked')).toEqual([]);
    expect(content('no.txt')).toBeUndefined();
  });

  it('ESC-6: is cancelled and runs nothing when the turn is stopped while its question is open', async () => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    await session.begin();
    const { approvalId } = await session.asked('a');
    await world.request('session.stop', { sessionId: session.id });
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(await session.idle()).toBe('aborted');
    expect(await session.of('approval/decided')).toMatchObject([{ id: approvalId, outcome: 'cancelled' }]);
    expect(await world.request('approval.decide', { approvalId, decision: 'allow-once' })).toMatchObject({
      settled: false,
      outcome: 'cancelled',
    });
    expect(content('no.txt')).toBeUndefined();
    await session.expectVerified();
  });

  it('ESC-8: lets exactly the change of the denied write land', async () => {
    const session = await world.turns(
      [
        [file('a', 'write', { path: 'a.txt', content: 'A' })],
        [file('b', 'write', { path: 'a.txt', content: 'A', ...escalate('workspace-write') })],
        [file('c', 'write', { path: 'c.txt', content: 'C' })],
      ],
      { preset: 'read-only' },
    );
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'denied' });
    const running = session.one();
    expect((await session.asked('b')).subject).toMatchObject({
      kind: 'file',
      path: join(world.workspace, 'a.txt'),
      exists: false,
    });
    await session.decide('b', 'allow-once');
    expect(await running).toMatchObject({
      status: 'ok',
      receipt: { path: join(world.workspace, 'a.txt'), mode: 'workspace-write' },
    });
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'denied' });
    expect([content('repo/a.txt'), content('repo/c.txt')]).toEqual(['A', undefined]);
    await session.expectVerified();
  });

  it('ESC-9: is judged against the mode of the Session, not against a wider default', async () => {
    await world.close();
    const presets = { full: { sandbox: 'danger-full-access', approval: 'ask' } };
    world = await createWorld({ settings: { presets, defaultPreset: 'full' } });
    const session = await world.turns([
      [command('a', 'echo x > a.txt', escalate('workspace-write'))],
      [command('b', 'echo x > b.txt', escalate('read-only'))],
    ]);
    await session.setMode('read-only');
    const running = session.one();
    expect((await session.asked('a')).scope).toEqual({ kind: 'once', from: 'read-only', to: 'workspace-write' });
    await session.decide('a', 'allow-once');
    expect(await running).toMatchObject({ status: 'ok', receipt: { mode: 'workspace-write' } });
    await session.setMode('workspace-write');
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'not-wider' });
    expect([content('repo/a.txt'), content('repo/b.txt')]).toEqual(['x\n', undefined]);
    expect(await session.of('approval/asked')).toHaveLength(1);
  });

  it('5-h: to the mode that stands runs without a question; under never it is refused once, naming the policy', async () => {
    const full = await world.turns(
      [[command('a', 'echo x', escalate('danger-full-access')), command('b', 'echo x', escalate('read-only'))]],
      { preset: 'danger-full-access' },
    );
    expect(await full.turn()).toMatchObject([{ status: 'ok' }, { status: 'refused', code: 'not-wider' }]);
    const never = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    await world.request('approvalPolicy.set', { sessionId: never.id, policy: 'never' });
    expect(await never.one()).toMatchObject({
      status: 'refused',
      code: 'rejected',
      content: expect.stringContaining('never'),
    });
    expect(world.pushes.filter(({ push }) => push === 'approval')).toEqual([]);
    expect(content('no.txt')).toBeUndefined();
  });

  it('5-e: is asked for again each time, also for the same call', async () => {
    const same = (id: string) => [command(id, 'echo x >> ../out.txt', escalate('danger-full-access'))];
    const session = await world.turns([same('a'), same('b')]);
    for (const [id, decision, after] of [
      ['a', 'allow-once', 'x\n'],
      ['b', 'deny', 'x\n'],
    ] as const) {
      const running = session.one();
      await session.decide(id, decision);
      await running;
      expect(content('out.txt')).toBe(after);
    }
    expect(await session.of('approval/asked')).toHaveLength(2);
  });

  it('SBX-10: judges the fresh target when the link was turned outside while the person was asked', async () => {
    await mkdir(join(world.workspace, 'inside'));
    await mkdir(join(world.folder, 'outside'));
    const link = join(world.workspace, 'link');
    await symlink('inside', link);
    const session = await world.turns(
      [[file('a', 'write', { path: 'link/f.txt', content: 'x', ...escalate('workspace-write') })]],
      { preset: 'read-only' },
    );
    const running = session.one();
    await session.asked('a');
    await rm(link);
    await symlink('../outside', link);
    await session.decide('a', 'allow-once');
    expect(await running).toMatchObject({ code: 'denied' });
    expect([content('outside/f.txt'), content('repo/inside/f.txt')]).toEqual([undefined, undefined]);
  });
});

describe('without a Provider that can confine', () => {
  it('ESC-5: asks nobody where nothing can be confined, and runs nothing', async () => {
    await world.close();
    world = await createWorld({ path: '/nowhere' });
    const session = await world.turns(
      [
        [command('a', 'echo x > a.txt', escalate('workspace-write'))],
        [program('b', "require('fs').writeFileSync('b.txt', 'x')", escalate('danger-full-access'))],
        [file('c', 'write', { path: 'c.txt', content: 'x', ...escalate('workspace-write') })],
      ],
      { preset: 'read-only' },
    );
    for (const tool of ['a', 'b', 'c']) {
      const { status, code, content: told } = await session.one();
      expect([tool, status, code]).toEqual([tool, 'refused', 'SANDBOX_UNAVAILABLE']);
      expect(told).toContain('bubblewrap');
    }
    expect(await session.of('approval/asked')).toEqual([]);
    expect(['a', 'b', 'c'].map((name) => content(`repo/${name}.txt`))).toEqual([undefined, undefined, undefined]);
    await session.expectVerified();
  });
});

describe('an approval', () => {
  it('APR-1: is unavailable at once when nobody answers, and both audit events have one id', async () => {
    await world.close();
    world = await createWorld({ attended: false });
    const session = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'unavailable' });
    const [asked] = await session.of('approval/asked');
    expect(await session.of('approval/decided')).toMatchObject([
      { id: asked?.id, outcome: 'unavailable', by: 'system', reason: 'no-answerer' },
    ]);
    expect(content('no.txt')).toBeUndefined();
    await session.expectVerified();
  });

  it('is unavailable, and not rejected by anybody, when the configured time is over', async () => {
    await world.close();
    world = await createWorld({ settings: { timeouts: { approvalMs: 100 } } });
    const session = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'unavailable' });
    expect(await session.of('approval/decided')).toMatchObject([
      { outcome: 'unavailable', by: 'system', reason: 'timeout' },
    ]);
    expect(content('no.txt')).toBeUndefined();
  });

  it('APR-2: is rejected under never, and no door is told of it', async () => {
    const session = await world.turns([[command('a', 'echo x > ../no.txt', escalate('danger-full-access'))]]);
    await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
    world.attend();
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(await session.of('approval/decided')).toMatchObject([{ outcome: 'rejected', by: 'policy' }]);
    expect(world.pushes.filter(({ push }) => push === 'approval')).toEqual([]);
    expect(content('no.txt')).toBeUndefined();
  });

  it('APR-5: is cancelled at once when its turn is stopped, and a later click has no effect', async () => {
    const code =
      "await tools.bash({ command: 'echo x > ../no.txt', escalate: { to: 'danger-full-access', justification: 'j' } })";
    const session = await world.turns([[program('a', code)]]);
    await session.begin();
    const { approvalId } = await session.asked('a:1');
    await world.request('session.stop', { sessionId: session.id });
    await world.until(
      ({ push, data }) => push === 'approval' && data.change === 'decided' && data.outcome === 'cancelled',
    );
    for (const decision of ['allow-once', 'deny'] as const) {
      expect(await world.request('approval.decide', { approvalId, decision })).toEqual({
        settled: false,
        by: 'system',
        outcome: 'cancelled',
      });
    }
    await session.idle();
    expect(await session.of('approval/decided')).toHaveLength(1);
    expect(content('no.txt')).toBeUndefined();
  });

  it('APR-8: stays when its door leaves and comes again, and is answerable exactly once', async () => {
    const session = await world.turns([[command('a', 'echo x >> ../out.txt', escalate('danger-full-access'))]]);
    const running = session.one();
    const { approvalId } = await session.asked('a');
    world.attend();
    expect((await world.request('approval.list', {})).approvals).toMatchObject([{ approvalId, callId: 'a' }]);
    const answer = () => world.request('approval.decide', { approvalId, decision: 'allow-once' });
    expect([await answer(), await answer()].map(({ settled }) => settled)).toEqual([true, false]);
    expect(await running).toMatchObject({ status: 'ok' });
    expect((await world.request('approval.list', {})).approvals).toEqual([]);
    expect(content('out.txt')).toBe('x\n');
  });

  it('APR-10: of several equal calls at once answers exactly its own (5-d)', async () => {
    const ask = (letter: string) =>
      `tools.bash({ command: 'printf ${letter} >> ../letters.txt', escalate: { to: 'danger-full-access', justification: 'j' } }).then(() => 'ran', (error) => error.code)`;
    const sessions = await Promise.all(
      ['A', 'B', 'C'].map((letter) => world.turns([[program('p', `await ${ask(letter)}`)]])),
    );
    for (const session of sessions) await session.begin();
    const asked = await Promise.all(sessions.map((session) => session.asked('p:1')));
    expect(new Set(asked.map(({ approvalId }) => approvalId)).size).toBe(3);
    const [first, second, third] = sessions as [TestSession, TestSession, TestSession]; // Three were made.
    const twice = await Promise.all([second.decide('p:1', 'allow-once'), second.decide('p:1', 'allow-once')]);
    expect(twice).toEqual([
      { settled: true, by: 'person', outcome: 'allowed-once' },
      { settled: false, by: 'person', outcome: 'allowed-once' },
    ]);
    await third.decide('p:1', 'deny');
    expect(await second.result('p')).toMatchObject({ value: 'ran' });
    expect(await third.result('p')).toMatchObject({ value: 'rejected' });
    expect((await world.request('approval.list', {})).approvals.map(({ sessionId }) => sessionId)).toEqual([first.id]);
    expect(content('letters.txt')).toBe('B');
    await world.request('session.stop', { sessionId: first.id });
  });
});

it('an answer to a question that nobody asked is not-found', async () => {
  expect(await world.reply('approval.decide', { approvalId: 'nope', decision: 'allow-once' })).toMatchObject({
    ok: false,
    code: 'not-found',
  });
});
