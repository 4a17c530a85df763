import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobId } from '../app/base/id.ts';
import type { Json } from '../app/base/json.ts';
import type { JobRow } from '../app/job/row.ts';
import type { EndPhase } from '../app/sandbox/provider.ts';
import {
  aroundLaunch,
  command,
  createWorld,
  program,
  withClose,
  type TestCall,
  type TestSession,
  type World,
  type WorldOptions,
} from './core.fixture.ts';
import { isAlive, readProc } from './process/identity.ts';
import { until } from './process/until.ts';
import type { Confiner } from './sandbox/confined.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

const job = (id: string, text: string, more: { readonly [name: string]: Json } = {}): TestCall => ({
  id,
  tool: 'job_start',
  input: { title: id, command: text, ...more },
});

/** How many processes of the product have this word in their arguments. */
const running = (word: string): number =>
  world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes(word)).length;
const within = async (check: () => boolean): Promise<void> => expect(await until(check, 10_000)).toBe(true);
const jobsOf = async ({ id }: TestSession): Promise<readonly JobRow[]> =>
  (await world.request('job.list', { sessionId: id })).jobs;
const stop = (jobId: JobId) => world.request('job.stop', { jobId });

/** The first row of this title in this state that was pushed. */
const told = (title: string, state: JobRow['state']): Promise<JobRow> =>
  world.until(({ push, data }) => push === 'job' && data.job.title === title && data.job.state === state && data.job);

/** The first Cleanup of a job in this phase, or that failed. */
const cleanup = (phase: EndPhase | 'failed') =>
  world.until(
    ({ push, data }) =>
      push === 'cleanup' &&
      data.cleanup.what === 'job' &&
      (phase === 'failed' ? data.cleanup.failed !== undefined : data.cleanup.phase === phase) &&
      data.cleanup,
  );

async function reopenWorld(options: WorldOptions): Promise<void> {
  await world.close();
  world = await createWorld(options);
}

/** A Session in which this job runs. */
async function started(call: TestCall, preset?: string): Promise<{ session: TestSession; row: JobRow }> {
  const session = await world.turns([[call]], preset === undefined ? {} : { preset });
  expect(await session.one()).toMatchObject({ status: 'ok' });
  const row = await told(call.id, 'running');
  return { session, row };
}

describe('a job', () => {
  it('goes on after its call and its turn, is listed as what runs, and ends by itself with its code', async () => {
    const session = await world.turns([
      [job('a', 'until [ -e go ]; do sleep 0.05; done; exit 7', { paths: ['out'] })],
      [{ id: 'b', tool: 'job_list', input: {} }],
    ]);
    const result = await session.one();
    const [row] = await jobsOf(session);
    const identity = { pid: row?.pid ?? 0, startTime: row?.startTime ?? '' };
    expect(result).toMatchObject({ status: 'ok', value: { jobId: row?.jobId, ...identity } });
    expect(row).toMatchObject({ title: 'a', kind: 'command', state: 'running', sessionId: session.id });
    expect(row?.paths).toEqual([join(world.workspace, 'out')]);
    expect(await session.one()).toMatchObject({ value: { jobs: [{ jobId: row?.jobId, state: 'running' }] } });
    expect([await session.idle(), isAlive(identity)]).toEqual(['completed', true]);
    await writeFile(join(world.workspace, 'go'), '');
    expect(await told('a', 'ended')).toMatchObject({ outcome: 'ended', exitCode: 7, signal: null });
    const { data } = await session.event(({ type }) => type === 'job/ended');
    expect(data).toEqual({ jobId: row?.jobId, outcome: 'ended', exitCode: 7, signal: null });
    await session.expectVerified();
  });

  it('is in the log, with its process, before its command does anything', async () => {
    // Between its launch and its record another process runs to its end: time enough for a command that did not wait.
    const slowly = (real: Confiner): Confiner => ({
      ...aroundLaunch({})(real),
      launch: async (asked, signal) => {
        const started = await real.launch(asked, signal);
        const other = await real.launch({ ...asked, argv: ['sleep', '0.3'], channels: 0 }, signal);
        if (other.kind === 'process') await other.closed;
        return started;
      },
    });
    await reopenWorld({ around: slowly });
    // It may read everything, so it looks at the log of its own Session.
    const { session, row } = await started(
      job('a', 'cat ../home/sessions/*/session.jsonl > seen'),
      'danger-full-access',
    );
    await told('a', 'ended');
    const seen = await readFile(join(world.workspace, 'seen'), 'utf8');
    const lines = (await session.log()).split('\n');
    const start = lines.find((line) => line.includes('"type":"job/started"')) ?? 'none';
    expect(JSON.parse(start)).toMatchObject({
      data: { jobId: row.jobId, callId: 'a', pid: row.pid, startTime: row.startTime },
    });
    expect(seen.split('\n')).toContain(start);
  });

  it.each([
    ['read-only', 'touch made 2>/dev/null || echo denied', false],
    ['workspace-write', 'touch made ../outside 2>/dev/null; echo over', true],
  ])('under %s can write what the mode lets it', async (preset, text, made) => {
    await started(job('a', text), preset);
    await told('a', 'ended');
    expect(existsSync(join(world.workspace, 'made'))).toBe(made);
    expect(existsSync(join(world.folder, 'outside'))).toBe(false);
  });

  it.each([
    ['a folder outside of the workspace', { title: 't', command: 'true', cwd: '/etc' }, 'denied'],
    ['a blank command', { title: 't', command: ' ' }, 'invalid-input'],
    [
      'an escalation',
      { title: 't', command: 'true', escalate: { to: 'danger-full-access', justification: 'x' } },
      'invalid-input',
    ],
  ])('is refused with %s, and nothing ran', async (_what, input, code) => {
    const session = await world.turns([[{ id: 'a', tool: 'job_start', input }]]);
    expect(await session.one()).toMatchObject({ status: 'refused', code });
    expect([await jobsOf(session), await session.of('tool/started'), await session.of('job/started')]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('is one of at most ten of its Session; an eleventh is refused until one is over', async () => {
    const eleven = Array.from({ length: 11 }, (_, index) => job(`j${index}`, 'sleep 962'));
    const session = await world.turns([eleven, [job('again', 'sleep 962')]]);
    const results = await session.turn();
    expect(results.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 'ok'), 'refused']);
    expect(results[10]?.content).toContain('job_kill');
    await within(() => running('sleep\u0000962') === 10);
    const other = await started(job('other', 'sleep 962'));
    expect(await jobsOf(other.session)).toHaveLength(1);
    await stop((await told('j3', 'running')).jobId);
    await told('j3', 'ended');
    expect(await session.one()).toMatchObject({ status: 'ok' });
  });

  it('started by a program lives on after it, and the program reads its output and ends it', async () => {
    const begin = "let { jobId } = await tools.job_start({ title: 'nested', command: 'echo hello; sleep 963' }); jobId";
    const read =
      "let page; do page = await tools.job_output({ jobId }); while (page.text === ''); " +
      '[page.text, page.ended, (await tools.job_kill({ jobId })).outcome, (await tools.job_output({ jobId, from: page.next })).ended]';
    const session = await world.turns([[program('a', begin)], [program('b', read)]]);
    const { value: jobId } = await session.one();
    expect(await jobsOf(session)).toMatchObject([{ jobId, title: 'nested', state: 'running' }]);
    expect(await session.one()).toMatchObject({ value: ['hello\n', false, 'stopped', true] });
    expect(running('sleep\u0000963')).toBe(0);
    await session.expectVerified();
  });

  it('is told of while it prints, under the call that started it, long after that call', async () => {
    const { session } = await started(
      job('a', 'until [ -e go ]; do sleep 0.05; done; echo out; echo err >&2; sleep 964'),
    );
    await session.result('a');
    await writeFile(join(world.workspace, 'go'), '');
    const heard = (stream: string, text: string) =>
      world.until(
        ({ push, data }) => push === 'output' && data.callId === 'a' && data.stream === stream && data.text === text,
      );
    expect(await heard('stdout', 'out\n')).toBe(true);
    expect(await heard('stderr', 'err\n')).toBe(true);
  });

  it('under danger-full-access is gone after job.stop with a grandchild that left its session', async () => {
    const text = "setsid sh -c 'sleep 965 & exec setsid sleep 965' >/dev/null 2>&1 & sleep 965";
    const { session, row } = await started(job('a', text), 'danger-full-access');
    await within(() => running('sleep\u0000965') >= 3);
    expect(await stop(row.jobId)).toEqual({});
    expect(await told('a', 'ended')).toMatchObject({ outcome: 'stopped' });
    expect(running('sleep\u0000965')).toBe(0);
    // Twice is once, and nobody knows another.
    expect(await stop(row.jobId)).toEqual({});
    expect(await world.reply('job.stop', { jobId: 'j_none' })).toMatchObject({ ok: false, code: 'not-found' });
    await session.event(({ type }) => type === 'job/ended');
    expect(await session.of('job/ended')).toMatchObject([{ jobId: row.jobId, outcome: 'stopped' }]);
  });

  it('4-b: that ends and leaves processes takes them with it', async () => {
    await started(job('a', 'setsid sleep 966 & sleep 966 & echo done'));
    expect(await told('a', 'ended')).toMatchObject({ outcome: 'ended', exitCode: 0 });
    expect(running('sleep\u0000966')).toBe(0);
  });

  it('is over with the core, and its Session says so', async () => {
    const { session, row } = await started(job('a', "trap '' TERM; sleep 967"), 'danger-full-access');
    const { folder } = world;
    await world.close({ keep: true });
    world = await createWorld({ folder });
    await world.request('session.open', { sessionId: session.id });
    const { events } = await world.request('session.events', { sessionId: session.id, from: 0, to: 1000 });
    const ends = events.flatMap((event) => (event.type === 'job/ended' ? [event.data] : []));
    expect(ends).toMatchObject([{ jobId: row.jobId, outcome: 'shutdown' }]);
  });
});

describe('the output of a job', () => {
  const LIMIT = 200_000;
  const settings = { launch: { limits: { outputBytes: LIMIT } } };

  it('that floods is cut and counted, in a private file that no sandbox sees, and the job goes on', async () => {
    await reopenWorld({ settings });
    const flood = `i=0; while [ $i -lt 12000 ]; do echo "line $i äöü😀 0123456789"; i=$((i+1)); done; sleep 968`;
    // All pages from the first byte on, as soon as all that was printed has arrived.
    const pages = `
      const jobId = (await tools.job_list({})).jobs[0].jobId;
      const printed = Array.from({ length: 12_000 }, (_, i) => \`line \${i} äöü😀 0123456789\\n\`).join('');
      let page;
      do page = await tools.job_output({ jobId, from: ${LIMIT} });
      while (page.next + (page.dropped ?? 0) < Buffer.byteLength(printed));
      let all = '';
      const sizes = [];
      for (let from = 0; sizes.at(-1) !== 0; from = page.next) {
        page = await tools.job_output({ jobId, from });
        all += page.text;
        sizes.push(Buffer.byteLength(page.text));
      }
      [printed.startsWith(all), Buffer.byteLength(all) + page.dropped - Buffer.byteLength(printed), sizes, page.ended]`;
    const session = await world.turns([
      [job('a', flood)],
      [program('b', pages)],
      [command('c', `cat '${world.home}'/sessions/*/jobs/* 2>/dev/null | wc -c`)],
    ]);
    await session.one();
    const [isHead, missing, sizes, ended] = (await session.one()).value as [boolean, number, number[], boolean];
    expect([isHead, missing, ended]).toEqual([true, 0, false]);
    const kept = sizes.reduce((sum, size) => sum + size, 0);
    expect([kept <= LIMIT, kept > LIMIT - 70_000, Math.max(...sizes) <= 65_536, sizes.length > 3]).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    const folder = join(world.home, 'sessions', session.id, 'jobs');
    const [name = ''] = await readdir(folder);
    const { size, mode } = await stat(join(folder, name));
    expect([size, mode & 0o777]).toEqual([kept, 0o600]);
    expect(await session.one()).toMatchObject({ facts: { output: { text: '0\n' } } });
    expect(await jobsOf(session)).toMatchObject([{ state: 'running' }]);
  });
});

describe('a change of the mode', () => {
  it('SBX-17: leaves the jobs of other Sessions alone: each reports its own mode', async () => {
    const text =
      'echo $GATEHOUSE_MODE; until [ -e go ]; do sleep 0.05; done; touch made 2>/dev/null && echo wrote || echo not';
    const narrow = await started(job('narrow', text), 'read-only');
    const wide = await started(job('wide', text), 'workspace-write');
    expect([narrow.row.mode, wide.row.mode]).toEqual(['read-only', 'workspace-write']);
    const third = await started(job('third', 'sleep 969'));
    await third.session.setMode('read-only');
    expect(await told('third', 'ended')).toMatchObject({ outcome: 'mode-changed' });
    await writeFile(join(world.workspace, 'go'), '');
    expect(await told('narrow', 'ended')).toMatchObject({ mode: 'read-only', outcome: 'ended', exitCode: 0 });
    expect(await told('wide', 'ended')).toMatchObject({ mode: 'workspace-write', outcome: 'ended', exitCode: 0 });
    const printed = async ({ row }: { row: JobRow }) =>
      await readFile(join(world.home, 'sessions', row.sessionId, 'jobs', `${row.jobId}.txt`), 'utf8');
    expect([await printed(narrow), await printed(wide)]).toEqual(['read-only\nnot\n', 'workspace-write\nwrote\n']);
    for (const { session } of [narrow, wide])
      expect((await session.of('tool/started'))[0]?.mode).toBe((await session.view()).mode);
  });

  it('SBX-18: returns at once, stops the job, and its Cleanup is shown until it is gone', async () => {
    const gate = Promise.withResolvers<void>();
    const process: Parameters<typeof aroundLaunch>[0]['process'] = (real) =>
      withClose(real, async (onPhase) => {
        await gate.promise;
        return real.close(onPhase);
      });
    await reopenWorld({ around: aroundLaunch({ process }) });
    const { session, row } = await started(job('a', 'while :; do echo x >> grows; sleep 0.01; done'));
    const grows = join(world.workspace, 'grows');
    await within(() => existsSync(grows));
    const shown = { what: 'job', id: row.jobId, title: 'a', mode: 'workspace-write', pid: row.pid };
    expect(await world.request('preset.preview', { sessionId: session.id, preset: 'read-only' })).toMatchObject({
      stopping: [shown],
    });
    // The ending is held: the setter has returned, and what it stops is still there.
    expect(await session.setMode('read-only')).toMatchObject({ stopping: [shown] });
    expect(await jobsOf(session)).toMatchObject([{ jobId: row.jobId, state: 'ending' }]);
    const { cleanups } = await world.request('cleanup.list', { sessionId: session.id });
    const { seq } = await session.event(({ type, data }) => type === 'sandbox/mode' && data.mode === 'read-only');
    expect(cleanups).toMatchObject([{ ...shown, cause: { kind: 'mode', seq }, phase: 'asked', attempts: 1 }]);
    expect(isAlive({ pid: row.pid ?? 0, startTime: row.startTime ?? '' })).toBe(true);
    gate.resolve();
    await cleanup('released');
    expect(await told('a', 'ended')).toMatchObject({ outcome: 'mode-changed' });
    expect(isAlive({ pid: row.pid ?? 0, startTime: row.startTime ?? '' })).toBe(false);
    await session.event(({ type }) => type === 'job/ended');
    expect(await session.of('job/ended')).toMatchObject([{ jobId: row.jobId, outcome: 'mode-changed' }]);
    expect((await session.types()).filter((type) => type.startsWith('cleanup'))).toEqual([
      'cleanup/asked',
      'cleanup/ended',
    ]);
    await session.expectVerified();
  });

  it('whose cleanup fails keeps the job listed as ending, until it is tried again', async () => {
    let fails = 2;
    const process: Parameters<typeof aroundLaunch>[0]['process'] = (real) =>
      withClose(real, async (onPhase) => {
        if (fails === 0) return real.close(onPhase);
        fails -= 1;
        return { ok: false, phase: 'killing', error: 'it would not go' };
      });
    await reopenWorld({ around: aroundLaunch({ process }) });
    const { session, row } = await started(job('a', 'sleep 951'));
    await session.setMode('read-only');
    const { cleanupId } = await cleanup('failed');
    expect(await jobsOf(session)).toMatchObject([{ jobId: row.jobId, state: 'ending' }]);
    expect(isAlive({ pid: row.pid ?? 0, startTime: row.startTime ?? '' })).toBe(true);
    expect(await session.of('job/ended')).toEqual([]);
    // Stopping it is a retry of the same Cleanup, and fails as well.
    await stop(row.jobId);
    await world.until(
      ({ push, data }) => push === 'cleanup' && data.cleanup.failed !== undefined && data.cleanup.attempts === 2,
    );
    expect(await world.request('cleanup.list', { sessionId: session.id })).toMatchObject({
      cleanups: [{ cleanupId, attempts: 2 }],
    });
    await world.request('cleanup.retry', { cleanupId });
    expect(await told('a', 'ended')).toMatchObject({ outcome: 'mode-changed' });
    expect(running('sleep\u0000951')).toBe(0);
    expect(await jobsOf(session)).toMatchObject([{ state: 'ended' }]);
    await session.event(({ type }) => type === 'job/ended');
    await session.expectVerified();
  });
});
