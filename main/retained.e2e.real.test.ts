import { existsSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  aroundLaunch,
  createWorld,
  escalate,
  file,
  program,
  command,
  withClose,
  type World,
  type WorldOptions,
} from './core.fixture.ts';
import { isAlive, readProc } from './process/identity.ts';
import { until } from './process/until.ts';
import type { ConfinedProcess } from './sandbox/confined.ts';

let world: World;
afterEach(() => world.close());

async function open(options: WorldOptions = {}): Promise<World> {
  world = await createWorld(options);
  return world;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const grows = async (path: string): Promise<boolean> => {
  const before = sizeOf(path);
  return until(() => sizeOf(path) > before, 10_000);
};

/** Ends nothing before `open` is called; `asked` resolves when the first ending was asked for. */
function heldEndings() {
  const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = (process: ConfinedProcess) =>
    withClose(process, async (onPhase) => {
      asked.resolve();
      await gate.promise;
      return process.close(onPhase);
    });
  return { around: aroundLaunch({ process: held }), open: gate.resolve, asked: asked.promise };
}

describe('a retained Environment', () => {
  it('RET-1: keeps a variable from one call to the next', async () => {
    await open();
    const session = await world.turns([[program('a', 'let v = 41; v')], [program('b', 'v + 1')]]);
    expect([(await session.one()).value, (await session.one()).value]).toEqual([41, 42]);
    expect(await session.environments()).toMatchObject([
      { retained: true, idle: true, variables: ['v'], mode: 'workspace-write' },
    ]);
    await session.expectVerified();
  });

  it('RET-2: writes no file under read-only', async () => {
    await open();
    const code = "try { require('fs').writeFileSync('no.txt', 'x'); 'written' } catch (error) { error.code }";
    const session = await world.turns([[program('a', code)]], { preset: 'read-only' });
    expect((await session.one()).value).toBe('EROFS');
    expect(existsSync(join(world.workspace, 'no.txt'))).toBe(false);
  });

  it('RET-3: loses the variable when the mode is switched and switched back', async () => {
    await open();
    const session = await world.turns([[program('a', 'let v = 1; v')], [program('b', 'typeof v')]]);
    await session.one();
    await session.setMode('read-only');
    await session.setMode('workspace-write');
    expect(await session.one()).toMatchObject({ status: 'ok', value: 'undefined', lost: { reason: 'mode-changed' } });
  });

  it('RET-4: keeps the variable when the same mode is set again, directly or by a preset of equal values', async () => {
    const presets = {
      'workspace-write': { sandbox: 'workspace-write', approval: 'ask' },
      twin: { sandbox: 'workspace-write', approval: 'ask' },
    };
    await open({ settings: { presets } });
    const session = await world.turns([[program('a', 'let v = 1; v')], [program('b', 'v')]]);
    await session.one();
    expect((await session.setMode('workspace-write')).stopping).toEqual([]);
    expect(await world.request('preset.set', { sessionId: session.id, preset: 'twin' })).toMatchObject({
      stopping: [],
    });
    const result = await session.one();
    expect(result).toMatchObject({ status: 'ok', value: 1 });
    expect(result.lost).toBeUndefined();
  });

  it('RET-5: is ended by a switch with its timers and children, with no further call', async () => {
    await open();
    const code = `const fs = require('fs');
      setInterval(() => fs.appendFileSync('timer.txt', 'x'), 5);
      require('child_process').spawn('sh', ['-c', 'while :; do echo x >> child.txt; sleep 0.01; done'], { detached: true, stdio: 'ignore' }).unref();
      1`;
    const session = await world.turns([[program('a', code)]]);
    await session.one();
    const files = ['timer.txt', 'child.txt'].map((name) => join(world.workspace, name));
    expect(await Promise.all(files.map(grows))).toEqual([true, true]);
    const [environment] = await session.environments();
    const { stopping } = await session.setMode('read-only');
    expect(stopping).toMatchObject([
      { what: 'environment', id: environment?.id, pid: environment?.pid, mode: 'workspace-write' },
    ]);
    await world.until(
      ({ push, data }) =>
        push === 'cleanup' && data.cleanup.id === environment?.id && data.cleanup.phase === 'released',
    );
    await world.until(
      ({ push, data }) => push === 'environment' && data.change === 'ended' && data.reason === 'mode-changed',
    );
    const sizes = files.map(sizeOf);
    expect(await session.environments()).toEqual([]);
    expect(running(world, 'timer.txt', 'child.txt', 'kernel.cjs')).toEqual([]);
    // Something else happens and is over: time has passed.
    const other = await world.turns([[command('c', 'sleep 0.1')]]);
    await other.one();
    expect(files.map(sizeOf)).toEqual(sizes);
  });

  it('RET-6: is still being ended when the switch has returned and the new mode is recorded', async () => {
    const endings = heldEndings();
    await open({ around: endings.around });
    const session = await world.turns([[program('a', 'let v = 1; v')]]);
    await session.one();
    await session.setMode('read-only');
    await endings.asked;
    expect((await session.view()).mode).toBe('read-only');
    expect((await session.of('sandbox/mode')).at(-1)).toMatchObject({ mode: 'read-only', source: 'direct' });
    expect((await world.request('cleanup.list', { sessionId: session.id })).cleanups).toMatchObject([
      { what: 'environment', phase: 'asked', cause: { kind: 'mode' } },
    ]);
    expect(running(world, 'kernel.cjs')).not.toEqual([]);
    endings.open();
  });

  it('RET-7: lets the next program wait for it, and run under the latest of the modes that came meanwhile', async () => {
    const endings = heldEndings();
    await open({ around: endings.around });
    const code = 'const { GATEHOUSE_MODE } = process.env; [GATEHOUSE_MODE, typeof v]';
    const session = await world.turns([[program('a', 'let v = 1; v')], [program('b', code)]]);
    await session.one();
    await session.setMode('danger-full-access');
    await endings.asked;
    await session.begin();
    await session.event(({ type, data }) => type === 'tool/call' && data.callId === 'b');
    await session.setMode('workspace-write');
    await session.setMode('read-only');
    expect((await session.of('tool/started')).map(({ callId }) => callId)).toEqual(['a']);
    endings.open();
    expect(await session.result('b')).toMatchObject({ status: 'ok', value: ['read-only', 'undefined'] });
    expect((await session.of('tool/started')).at(-1)).toMatchObject({ callId: 'b', mode: 'read-only' });
    await session.idle();
  });

  it('RET-8: takes the question of its nested call with it when the mode changes', async () => {
    await open();
    const code =
      "await tools.write({ path: '../out.txt', content: 'x', escalate: { to: 'danger-full-access', justification: 'out' } })";
    const session = await world.turns([[program('a', code)]]);
    await session.begin();
    const { approvalId } = await session.asked('a:1');
    await session.setMode('read-only');
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(await session.of('approval/decided')).toMatchObject([
      { id: approvalId, outcome: 'cancelled', reason: 'mode-changed', by: 'system' },
    ]);
    expect((await world.request('approval.list', {})).approvals).toEqual([]);
    expect(await world.request('approval.decide', { approvalId, decision: 'allow-once' })).toEqual({
      settled: false,
      by: 'system',
      outcome: 'cancelled',
    });
    expect(await session.idle()).toBe('completed');
    expect(existsSync(join(world.folder, 'out.txt'))).toBe(false);
    await session.expectVerified();
  });

  it('RET-9: takes a nested command and its whole process tree with it when the mode changes', async () => {
    await open();
    const shell =
      '(while :; do echo x >> nested.txt; sleep 0.01; done) & setsid sh -c "while :; do echo x >> far.txt; sleep 0.01; done" & wait';
    const session = await world.turns([[program('a', `await tools.bash({ command: ${JSON.stringify(shell)} })`)]]);
    await session.begin();
    const files = ['nested.txt', 'far.txt'].map((name) => join(world.workspace, name));
    await session.started('a:1');
    expect(await Promise.all(files.map(grows))).toEqual([true, true]);
    await session.setMode('read-only');
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    const sizes = files.map(sizeOf);
    expect(running(world, 'nested.txt', 'far.txt', 'kernel.cjs')).toEqual([]);
    expect(await session.of('tool/nested-result')).toMatchObject([
      { callId: 'a:1', status: 'cancelled', code: 'mode-changed' },
    ]);
    const other = await world.turns([[command('c', 'sleep 0.1')]]);
    await other.one();
    expect(files.map(sizeOf)).toEqual(sizes);
    await session.idle();
  });

  it('RET-10: is never used again when ending it failed once; the next program tries again and the mode stays', async () => {
    let failures = 1;
    const failing = (process: ConfinedProcess) =>
      withClose(process, async (onPhase) => {
        failures -= 1;
        if (failures >= 0) return { ok: false, phase: 'killing', error: 'injected' };
        return process.close(onPhase);
      });
    await open({ around: aroundLaunch({ process: failing }) });
    const session = await world.turns([
      [program('a', 'let v = 1; process.pid')],
      [program('b', '[typeof v, process.env.GATEHOUSE_MODE]')],
    ]);
    await session.one();
    const [old] = await session.environments();
    await session.setMode('read-only');
    await world.until(({ push, data }) => push === 'cleanup' && data.cleanup.failed !== undefined);
    expect(old && isAlive(old)).toBe(true);
    expect((await session.view()).mode).toBe('read-only');
    expect(await session.one()).toMatchObject({ status: 'ok', value: ['undefined', 'read-only'] });
    expect(old && isAlive(old)).toBe(false);
    expect((await world.request('cleanup.list', {})).cleanups).toMatchObject([
      { id: old?.id, phase: 'released', attempts: 2 },
    ]);
    expect((await session.of('cleanup/ended')).map(({ failed }) => failed?.error)).toEqual(['injected', undefined]);
    expect((await session.view()).mode).toBe('read-only');
  });

  it('RET-10: lets nothing run while ending it goes on failing, until a person retries', async () => {
    let broken = true;
    const failing = (process: ConfinedProcess) =>
      withClose(process, async (onPhase) =>
        broken ? { ok: false, phase: 'killing', error: 'injected' } : process.close(onPhase),
      );
    await open({ around: aroundLaunch({ process: failing }) });
    const session = await world.turns([[program('a', '1')], [program('b', '2')], [program('c', '3')]]);
    const other = await world.turns([[program('a', '1')]]);
    await session.one();
    await session.setMode('read-only');
    const refused = await session.one();
    expect(refused).toMatchObject({ status: 'refused', code: 'CLEANUP_FAILED' });
    expect((await session.of('tool/started')).map(({ callId }) => callId)).toEqual(['a']);
    expect(await other.one()).toMatchObject({ value: 1 });
    broken = false;
    const [cleanup] = (await world.request('cleanup.list', { sessionId: session.id })).cleanups;
    if (!cleanup) throw new Error('No cleanup');
    expect(refused.content).toContain(cleanup.cleanupId);
    await world.request('cleanup.retry', { cleanupId: cleanup.cleanupId });
    await world.until(({ push, data }) => push === 'cleanup' && data.cleanup.phase === 'released');
    expect(await session.one()).toMatchObject({ status: 'ok', value: 3 });
  });

  it('RET-11: shares no variable with a program that was allowed once, in either direction', async () => {
    await open();
    const once = "require('fs').writeFileSync('../once.txt', typeof v); let w = 2; typeof v";
    const session = await world.turns([
      [program('a', 'let v = 1; v')],
      [program('b', once, escalate('danger-full-access'))],
      [program('c', '[v, typeof w, process.env.GATEHOUSE_MODE]')],
    ]);
    await session.one();
    const [standing] = await session.environments();
    const escalated = session.one();
    await session.decide('b', 'allow-once');
    expect(await escalated).toMatchObject({
      status: 'ok',
      value: 'undefined',
      receipt: { mode: 'danger-full-access', releasedBeforeReturn: true, standing: 'unchanged' },
    });
    expect(existsSync(join(world.folder, 'once.txt'))).toBe(true);
    expect(await session.one()).toMatchObject({ value: [1, 'undefined', 'workspace-write'] });
    expect(await session.environments()).toMatchObject([{ id: standing?.id, pid: standing?.pid }]);
    await session.expectVerified();
  });

  it('RET-12: an escalated program’s process is gone before its result is there', async () => {
    await open();
    const code =
      "require('child_process').spawn('sleep', ['987'], { detached: true, stdio: 'ignore' }).unref(); process.pid";
    const session = await world.turns([[program('a', code, escalate('danger-full-access'))]]);
    await session.begin();
    const snapshot = world.until(({ push, data }) => {
      const over = push === 'event' && data.event.type === 'tool/result';
      // At the very moment at which the result is told.
      return over && { alive: running(world, 'kernel.cjs', 'sleep\u0000987'), result: data.event.data };
    });
    await session.decide('a', 'allow-once');
    const { alive, result } = await snapshot;
    expect(result).toMatchObject({ status: 'ok', receipt: { releasedBeforeReturn: true, standing: 'none' } });
    expect(alive).toEqual([]);
    expect((await session.of('environment/ended')).length).toBe(1);
    await session.idle();
  });

  it('RET-13: a nested write of an escalated program is judged by the standing permission', async () => {
    await open();
    const code =
      "try { await tools.write({ path: '../nested.txt', content: 'x' }); 'written' } catch (error) { error.code }";
    const session = await world.turns([[program('a', code, escalate('danger-full-access'))]]);
    const running = session.one();
    await session.decide('a', 'allow-once');
    expect(await running).toMatchObject({ status: 'ok', value: 'denied' });
    expect(existsSync(join(world.folder, 'nested.txt'))).toBe(false);
  });

  it('2-g: is replaced by a new one when its workspace was removed and made again', async () => {
    await open();
    const session = await world.turns([
      [program('a', 'let v = 1; v')],
      [program('b', 'v'), command('c', 'pwd')],
      [program('d', 'typeof v')],
    ]);
    await session.one();
    await rm(world.workspace, { recursive: true });
    const missing = await session.turn();
    expect(missing).toMatchObject([
      { status: 'refused', code: 'workspace-missing' },
      { status: 'refused', code: 'workspace-missing' },
    ]);
    expect(missing.map(({ content }) => content).filter((text) => text.includes(world.workspace)).length).toBe(2);
    await mkdir(world.workspace);
    expect(await session.one()).toMatchObject({ status: 'ok', value: 'undefined' });
    expect(await session.environments()).toHaveLength(1);
  });

  it('RET-15: is gone with every process, listener and timer when the product closes over a program at work', async () => {
    await open();
    const code =
      "setInterval(() => {}, 1); require('child_process').spawn('sleep', ['988']); console.log('up'); await new Promise(() => {})";
    const session = await world.turns([[program('a', code)]]);
    const before = handles();
    await session.begin();
    await world.until(({ push, data }) => push === 'output' && data.text.includes('up'));
    await world.close({ keep: true });
    expect(world.processes()).toEqual([]);
    // One more for each that is there now and was not before; what else runs here may end meanwhile.
    const more = handles();
    for (const handle of before) if (more.includes(handle)) more.splice(more.indexOf(handle), 1);
    expect(more).toEqual([]);
    const { folder } = world;
    world = await createWorld({ folder });
    const reopened = await world.request('session.events', { sessionId: session.id, from: 0, to: 1000 });
    expect(reopened.events.flatMap((event) => (event.type === 'tool/result' ? [event.data] : []))).toMatchObject([
      { callId: 'a', status: 'cancelled', code: 'shutdown' },
    ]);
    expect(reopened.events).toContainEqual(
      expect.objectContaining({ type: 'turn/end', data: { turn: 1, reason: 'aborted', by: 'shutdown' } }),
    );
    expect(reopened.events).toContainEqual(expect.objectContaining({ type: 'environment/ended' }));
  });

  it('RET-16: that crashed is replaced by a clean one, and the loss of the variables is told', async () => {
    await open();
    const session = await world.turns([
      [program('a', 'let v = 1; v')],
      [program('b', "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})")],
      [program('c', 'typeof v')],
      [program('d', '1')],
    ]);
    await session.one();
    expect(await session.one()).toMatchObject({
      status: 'failed',
      code: 'environment-lost',
      lost: { reason: 'crash' },
    });
    const next = await session.one();
    expect(next).toMatchObject({ status: 'ok', value: 'undefined', lost: { reason: 'crash' } });
    expect(next.content).toContain('gone');
    expect((await session.one()).lost).toBeUndefined();
  });
});

it('a file that a read-only Session’s tool may not write is denied by every tool at once', async () => {
  await open();
  const session = await world.turns(
    [[file('w', 'write', { path: 'a.txt', content: 'x' }), command('b', 'echo x > b.txt')]],
    { preset: 'read-only' },
  );
  expect(await session.turn()).toMatchObject([
    { status: 'refused', code: 'denied' },
    { status: 'ok', denied: [{ mode: 'read-only' }] },
  ]);
});

/** Command lines of what the product runs that hold one of these words. */
function running(of: World, ...words: readonly string[]): readonly string[] {
  return of
    .processes()
    .flatMap(({ pid }) => commandLine(pid).filter((line) => words.some((word) => line.includes(word))));
}

function commandLine(pid: number): readonly string[] {
  const line = readProc(pid, 'cmdline');
  return line === undefined ? [] : [line];
}

/** What would keep this process alive, of what a Session at work has. */
function handles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => ['ProcessWrap', 'FSEventWrap', 'TCPServerWrap', 'Timeout'].includes(name))
    .toSorted();
}
