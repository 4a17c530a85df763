import { describe, expect, it } from 'vitest';
import { Cancelled } from '../../base/cancel.ts';
import { deferred } from '../../base/deferred.ts';
import { only, until } from '../../base/waiting.fixture.ts';
import type { Mode } from '../../sandbox/mode.ts';
import { placeOf } from '../../sandbox/place.ts';
import type { Files } from '../../tool/ports.ts';
import type { Outcome } from '../../tool/result.ts';
import { factsOf } from '../../tool/tools/commands.fixture.ts';
import { confinement, policyOf, RecordingRun } from '../../tool/tools/toolRun.fixture.ts';
import { jobWorld } from '../jobs.fixture.ts';
import { MOST_JOBS } from '../jobs.ts';
import { jobKillTool } from './jobKill.ts';
import { jobListTool } from './jobList.ts';
import { jobOutputTool } from './jobOutput.ts';
import { jobStartTool } from './jobStart.ts';

const never = new AbortController().signal;
const STUCK = { ok: false, phase: 'killing', error: 'still alive' } as const;

/** The four tools over the jobs of one Session. */
function tools(mode: Mode = 'workspace-write') {
  const world = jobWorld();
  const { jobs } = world;
  const at = confinement(policyOf(mode, '/ws'));
  const run = new RecordingRun(at);
  // Paths without links: the real ones are followed by the files themselves.
  const files: Pick<Files, 'locate'> = {
    locate: async (path, { policy }) => placeOf(path.startsWith('/') ? path : `/ws/${path}`, policy),
  };
  const job_start = jobStartTool({ jobs, files, deniedLine: () => 'Denied by the mode.' });
  const [job_list, job_output, job_kill] = [jobListTool(jobs), jobOutputTool(jobs), jobKillTool(jobs)];
  return {
    ...world,
    at,
    job_start,
    start: (asked: object, signal = never) => job_start.run(job_start.input.parse(asked), run, signal),
    list: () => job_list.run({}, run, never),
    output: (asked: object) => job_output.run(job_output.input.parse(asked), run, never),
    kill: (jobId: string, signal = never) => job_kill.run({ jobId }, run, signal),
    tools: [job_start, job_list, job_output, job_kill],
  };
}

const idOf = ({ value }: Outcome) => (value as { readonly jobId: string }).jobId;

describe('the tools of jobs', () => {
  it('are called by programs too, and only the one that starts one writes', () => {
    expect(tools().tools.map(({ name, effect, nested, escalates }) => [name, effect, nested, escalates])).toEqual([
      ['job_start', 'write', true, undefined],
      ['job_list', 'manage', true, undefined],
      ['job_output', 'manage', true, undefined],
      ['job_kill', 'manage', true, undefined],
    ]);
  });

  it('name a job that there is none of', async () => {
    const { output, kill } = tools();
    for (const outcome of [await output({ jobId: 'j_9' }), await kill('j_9')])
      expect(outcome).toMatchObject({ status: 'failed', code: 'not-found', content: expect.stringContaining('j_9') });
  });
});

describe('job_start', () => {
  it('returns at once with the process, and its paths are absolute', async () => {
    const { start, commands, jobs } = tools();
    const outcome = await start({ title: 'server', command: 'x', cwd: 'sub', paths: ['out', '/ws/b'] });
    expect(outcome).toMatchObject({ status: 'ok', value: { jobId: 'j_1', pid: 100, startTime: 't100' } });
    expect(only(commands.started).request).toMatchObject({ run: { shell: 'x' }, cwd: '/ws/sub' });
    expect(only(jobs.list())).toMatchObject({ title: 'server', paths: ['/ws/out', '/ws/b'], state: 'running' });
  });

  it.each([
    { title: 't', command: ' ' },
    { title: 't', command: 'a\0b' },
    { title: ' ', command: 'x' },
    { title: 'half \ud83d', command: 'x' },
    { title: 't'.repeat(201), command: 'x' },
    { command: 'x' },
    { title: 't', command: 'x', timeoutMs: 1 },
    { title: 't', command: 'x', paths: [''] },
  ])('does not take %j', (asked) => {
    expect(tools().job_start.input.safeParse(asked).success).toBe(false);
  });

  it.each<[Mode, string]>([
    ['read-only', 'none'],
    ['workspace-write', 'whole'],
  ])('claims under %s: %s', async (mode, writes) => {
    const { job_start, at } = tools(mode);
    expect(await job_start.plan({ title: 't', command: 'x' }, at, never)).toEqual({ writes });
  });

  it('is refused outside of the workspace, before anything runs and in the body', async () => {
    const { job_start, at, start, commands } = tools();
    const asked = { title: 't', command: 'x', cwd: '/etc' };
    const denied = { status: 'refused', code: 'denied', denied: [{ operation: 'cwd', path: '/etc' }] };
    expect((await job_start.plan(asked, at, never)).refusal).toMatchObject(denied);
    expect(await start(asked)).toMatchObject(denied);
    expect(commands.started).toEqual([]);
  });

  it('is refused beyond the tenth, and the refusal says how to go on', async () => {
    const { job_start, at, start } = tools();
    for (let count = 0; count < MOST_JOBS; count += 1) await start({ title: 't', command: 'x' });
    const asked = { title: 't', command: 'x' };
    const refusal = { status: 'refused', code: 'unavailable', content: expect.stringContaining('job_kill') };
    expect((await job_start.plan(asked, at, never)).refusal).toMatchObject(refusal);
    expect(await start(asked)).toMatchObject(refusal);
  });

  it('is cancelled with its cause when it is stopped while it starts, and tells why it cannot start', async () => {
    const { start, commands, journal } = tools();
    const release = journal.holdFlush();
    const call = new AbortController();
    const starting = start({ title: 't', command: 'x' }, call.signal);
    await until(() => journal.flushes === 1);
    call.abort(new Cancelled({ kind: 'mode-changed', seq: 3 }));
    release();
    expect(await starting).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    commands.refusal = { kind: 'start-failed', message: 'no such folder' };
    expect(await start({ title: 't', command: 'x' })).toMatchObject({ status: 'failed', code: 'not-found' });
    commands.refusal = { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'none here' };
    expect(await start({ title: 't', command: 'x' })).toMatchObject({ status: 'refused', code: 'SANDBOX_UNAVAILABLE' });
  });
});

describe('job_list', () => {
  it('tells each job with its state, and how those went that are over', async () => {
    const { start, list, commands, over, jobs } = tools();
    expect(await list()).toMatchObject({ content: 'No jobs.', value: { jobs: [] } });
    await start({ title: 'one', command: 'x' });
    await start({ title: 'two', command: 'x' });
    await start({ title: 'three', command: 'x' });
    commands.started[0]?.end({ facts: factsOf({ exitCode: 4 }) });
    commands.started[1]?.end({ facts: factsOf({ exitCode: null, signal: 'SIGSEGV' }) });
    for (const row of jobs.list().slice(0, 2)) await over(row.jobId);
    const { content, value } = await list();
    expect(content.split('\n')).toEqual([
      'j_1 ended (ended, exit code 4): one',
      'j_2 ended (ended, killed by SIGSEGV): two',
      'j_3 running pid 102: three',
    ]);
    expect(value).toEqual({ jobs: jobs.list() });
  });
});

describe('job_output', () => {
  it('goes on from where the last page ended, and says when nothing more will come', async () => {
    const { start, output, commands, over, jobs } = tools();
    const jobId = idOf(await start({ title: 't', command: 'x' }));
    const command = only(commands.started);
    command.request.onOutput?.('stdout', 'one\n');
    expect(await output({ jobId })).toMatchObject({
      content: 'one\n[the job is running; go on from 4]',
      value: { text: 'one\n', from: 0, next: 4, ended: false },
    });
    command.request.onOutput?.('stderr', 'two');
    command.end();
    await over(only(jobs.list()).jobId);
    expect(await output({ jobId, from: 4 })).toEqual({
      status: 'ok',
      content: 'two\n[the job has ended]',
      value: { text: 'two', from: 4, next: 7, ended: true },
    });
  });

  it('that is not read to its end is not ended, and says what was dropped behind it', async () => {
    const { start, output, outputs, commands, over, jobs } = tools();
    const jobId = idOf(await start({ title: 't', command: 'x' }));
    only(commands.started).end();
    await over(only(jobs.list()).jobId);
    const page = { text: 'a', from: 0, next: 1, dropped: 9 };
    only(outputs.opened).page = async () => ({ ...page, last: false });
    expect(await output({ jobId })).toMatchObject({
      content: 'a\n[there is more; go on from 1]',
      value: { ended: false },
    });
    only(outputs.opened).page = async () => ({ ...page, last: true });
    expect(await output({ jobId })).toMatchObject({
      content: 'a\n[9 bytes that came after were dropped; the job has ended]',
      value: { ended: true, dropped: 9 },
    });
  });
});

describe('job_kill', () => {
  it('returns when nothing of the job lives, and again with how it ended', async () => {
    const { start, kill, commands, ended } = tools();
    const jobId = idOf(await start({ title: 't', command: 'x' }));
    const command = only(commands.started);
    command.gate = deferred();
    const killing = kill(jobId);
    await until(() => command.closes === 1);
    expect(ended()).toEqual([]);
    command.gate.resolve();
    expect(await killing).toMatchObject({ status: 'ok', value: { outcome: 'stopped' } });
    expect(await kill(jobId)).toMatchObject({ status: 'ok', value: { outcome: 'stopped' } });
    expect([command.closes, ended().length]).toEqual([1, 1]);
  });

  it('fails with what went wrong, and is tried again by the next one', async () => {
    const { start, kill, commands } = tools();
    const jobId = idOf(await start({ title: 't', command: 'x' }));
    only(commands.started).attempts.push(STUCK);
    expect(await kill(jobId)).toMatchObject({
      status: 'failed',
      code: 'CLEANUP_FAILED',
      content: expect.stringContaining('still alive'),
    });
    expect(await kill(jobId)).toMatchObject({ status: 'ok', value: { outcome: 'stopped' } });
  });

  it('stops waiting with its call; the job is ended all the same', async () => {
    const { start, kill, commands, over, jobs } = tools();
    const jobId = idOf(await start({ title: 't', command: 'x' }));
    const command = only(commands.started);
    command.gate = deferred();
    const call = new AbortController();
    const killing = kill(jobId, call.signal);
    await until(() => command.closes === 1);
    call.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    await expect(killing).rejects.toBeInstanceOf(Cancelled);
    command.gate.resolve();
    await over(only(jobs.list()).jobId);
  });
});
