import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import { deferred } from '../base/deferred.ts';
import { only, settled, until } from '../base/waiting.fixture.ts';
import type { Facts } from '../sandbox/facts.ts';
import { factsOf } from '../tool/tools/commands.fixture.ts';
import type { JobOutcome } from './events.ts';
import { jobWorld } from './jobs.fixture.ts';
import { MOST_JOBS } from './jobs.ts';

const never = new AbortController().signal;
const STUCK = { ok: false, phase: 'killing', error: 'still alive' } as const;

describe('starting a job', () => {
  it('is on disk before its command begins', async () => {
    const { journal, jobs, commands, request } = jobWorld();
    const release = journal.holdFlush();
    const starting = jobs.start(request(), never);
    await until(() => journal.flushes === 1);
    const { begun, request: asked } = only(commands.started);
    expect([begun, asked.held, asked.timeoutMs]).toEqual([false, true, undefined]);
    expect(only(journal.events).data).toMatchObject({
      jobId: 'j_1',
      callId: 'c1',
      title: 'a',
      pid: 100,
      startTime: 't100',
    });
    release();
    expect(await starting).toMatchObject({ jobId: 'j_1', state: 'running', pid: 100, mode: 'workspace-write' });
    expect([only(commands.started).begun, journal.durable]).toEqual([true, 1]);
  });

  it('that the log does not take leaves no process, and begins nothing', async () => {
    const { journal, jobs, commands, request, ended, started, session } = jobWorld();
    journal.failFlush();
    await expect(jobs.start(request(), never)).rejects.toThrow('The disk is full');
    const command = only(commands.started);
    expect([command.begun, command.closes]).toEqual([false, 1]);
    expect(ended()).toMatchObject([{ outcome: 'stopped' }]);
    expect(started.list(session.id)).toEqual([]);
  });

  it('that the log refuses at once leaves no process', async () => {
    const { journal, jobs, commands, outputs, request } = jobWorld();
    journal.guard(({ type }) => (type === 'job/started' ? 'too large' : undefined));
    await expect(jobs.start(request(), never)).rejects.toThrow('too large');
    expect([only(commands.started).closes, only(outputs.opened).closed, jobs.list()]).toEqual([1, 1, []]);
  });

  it.each([
    ['the mode changes', 'mode-changed', (world: ReturnType<typeof jobWorld>) => void world.setMode('read-only')],
    ['the Session closes', 'shutdown', (world: ReturnType<typeof jobWorld>) => void world.jobs.close()],
  ])('that is being launched when %s ends as a Cleanup, and begins nothing', async (_when, outcome, change) => {
    const world = jobWorld();
    const { jobs, commands, request, ended, cleanups } = world;
    commands.gate = deferred();
    const starting = jobs.start(request(), never);
    await settled();
    change(world);
    commands.gate.resolve();
    expect(await starting).toMatchObject({ kind: 'not-begun', why: { kind: outcome } });
    expect(only(commands.started)).toMatchObject({ begun: false, closes: 1 });
    expect(ended()).toMatchObject([{ outcome }]);
    expect(only(cleanups.list())).toMatchObject({ what: 'job', phase: 'released' });
  });

  it('whose call is stopped while it is recorded ends with the call', async () => {
    const { journal, jobs, commands, request, ended } = jobWorld();
    const release = journal.holdFlush();
    const call = new AbortController();
    const starting = jobs.start(request(), call.signal);
    await until(() => journal.flushes === 1);
    call.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    release();
    expect(await starting).toEqual({ kind: 'not-begun', why: { kind: 'stopped', by: 'person' } });
    expect([only(commands.started).begun, only(ended()).outcome]).toEqual([false, 'stopped']);
  });

  it('that cannot be launched is in no list and in no log, and its output is closed', async () => {
    const { journal, jobs, commands, outputs, request } = jobWorld();
    commands.refusal = { kind: 'start-failed', message: 'no such folder' };
    expect(await jobs.start(request(), never)).toEqual(commands.refusal);
    expect([jobs.list(), journal.types(), only(outputs.opened).closed]).toEqual([[], [], 1]);
  });

  it('is refused while ten are alive or begin, those that are being ended included', async () => {
    const { jobs, commands, request, running } = jobWorld();
    const { row, command } = await running();
    command.attempts.push(STUCK);
    jobs.get(row.jobId)?.end({ kind: 'stopped', by: 'person' });
    const nine = await Promise.all(Array.from({ length: MOST_JOBS }, () => jobs.start(request(), never)));
    expect(nine.map(({ kind }) => kind)).toEqual([...Array.from({ length: 9 }, () => 'command'), 'too-many']);
    expect([commands.started.length, jobs.areTooMany]).toEqual([MOST_JOBS, true]);
    commands.started.at(-1)?.end();
    await until(() => !jobs.areTooMany);
    expect(await jobs.start(request(), never)).toMatchObject({ kind: 'command' });
  });
});

describe('a job', () => {
  it('that ends by itself is told once, with how it ended, and is listed no more as what a switch would stop', async () => {
    const { started, session, rows, running, over, ended, cleanups, outputs } = jobWorld();
    const { row, command } = await running({ paths: ['/ws/out'] });
    expect(started.stoppedBy(session.id, 'read-only')).toMatchObject([
      { what: 'job', id: row.jobId, process: { pid: 100 } },
    ]);
    command.end({ facts: factsOf({ exitCode: 3 }) });
    await over(row.jobId);
    expect(ended()).toEqual([{ jobId: row.jobId, outcome: 'ended', exitCode: 3, signal: null }]);
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['running', undefined],
      ['ended', 'ended'],
    ]);
    expect(rows.at(-1)).toMatchObject({ exitCode: 3, paths: ['/ws/out'] });
    expect([started.list(session.id), cleanups.list(), only(outputs.opened).closed]).toEqual([[], [], 1]);
  });

  it('is ended by a change of the mode at its commit, before anybody waits for it', async () => {
    const { setMode, running, stateOf, over, ended, started, session, cleanups, journal } = jobWorld();
    const { row, command } = await running();
    command.gate = deferred();
    const { seq } = setMode('read-only');
    // The setter has returned: it is listed, and nothing has been done yet.
    expect([stateOf(row.jobId), command.closes]).toEqual(['ending', 0]);
    expect(only(cleanups.list())).toMatchObject({
      what: 'job',
      id: row.jobId,
      cause: { kind: 'mode', seq },
      phase: 'asked',
    });
    expect([started.stoppedBy(session.id, 'read-only'), started.list(session.id).length]).toEqual([[], 1]);
    command.gate.resolve();
    await over(row.jobId);
    expect(ended()).toEqual([{ jobId: row.jobId, outcome: 'mode-changed', exitCode: null, signal: 'SIGTERM' }]);
    expect(journal.types()).toEqual(['job/started', 'sandbox/mode', 'cleanup/asked', 'cleanup/ended', 'job/ended']);
  });

  it('goes on when the same mode is set again, and ends when the settings change', async () => {
    const { setMode, running, stateOf, over, ended, journal } = jobWorld();
    const { row } = await running();
    setMode('workspace-write');
    expect(stateOf(row.jobId)).toBe('running');
    journal.append({ type: 'sandbox/settings', data: { digest: 'd' } });
    await over(row.jobId);
    expect(ended()).toMatchObject([{ outcome: 'settings-changed' }]);
  });

  it('that could not be ended stays listed as ending, and its one end comes with the retry', async () => {
    const { setMode, running, stateOf, over, ended, cleanups, started, session, jobs } = jobWorld();
    const { row, command } = await running();
    command.attempts.push(STUCK, STUCK);
    setMode('read-only');
    await until(() => only(cleanups.list()).failed !== undefined);
    expect([stateOf(row.jobId), ended(), started.list(session.id).length]).toEqual(['ending', [], 1]);
    // Ending it again is a retry of the same Cleanup, and the first cause stands.
    jobs.get(row.jobId)?.end({ kind: 'stopped', by: 'person' });
    await until(() => only(cleanups.list()).attempts === 2 && only(cleanups.list()).failed !== undefined);
    await cleanups.retry(only(cleanups.list()).cleanupId);
    await over(row.jobId);
    expect(ended()).toEqual([{ jobId: row.jobId, outcome: 'mode-changed', exitCode: null, signal: 'SIGKILL' }]);
    expect(started.list(session.id)).toEqual([]);
  });

  it('that ended and left what could not be ended with it becomes a Cleanup, and has still ended by itself', async () => {
    const { running, over, ended, cleanups, stateOf, rows } = jobWorld();
    const { row, command } = await running();
    command.attempts.push(STUCK);
    command.end({ facts: factsOf({ exitCode: 0 }), closeError: 'still alive' });
    await until(() => cleanups.list().some(({ failed }) => failed !== undefined));
    expect([stateOf(row.jobId), ended()]).toEqual(['ending', []]);
    await cleanups.retry(only(cleanups.list()).cleanupId);
    await over(row.jobId);
    expect(only(ended()).outcome).toBe('ended');
    expect(rows.map(({ state }) => state)).toEqual(['running', 'ending', 'ended']);
  });

  it.each<[string, Partial<Facts>, JobOutcome]>([
    ['of memory', { limit: 'memory', exitCode: null, signal: 'SIGKILL' }, 'memory-limit'],
    ['of memory while it was being ended', { limit: 'memory', cancelled: true }, 'memory-limit'],
    ['of what it may read', { revealed: '/home/u/.aws', cancelled: true }, 'protected-entry'],
    ['of processes', { limit: 'process', exitCode: 1 }, 'process-limit'],
    ['of the temp, and failed', { limit: 'temp', exitCode: 1 }, 'temp-limit'],
    ['of the temp, and came to its end', { limit: 'temp', exitCode: 0 }, 'ended'],
    ['of output, which ends nothing', { limit: 'output', exitCode: 1 }, 'ended'],
  ])('that met the limit %s says so', async (_which, facts, outcome) => {
    const { running, over, ended } = jobWorld();
    const { row, command } = await running();
    command.end({ facts: factsOf(facts) });
    await over(row.jobId);
    expect(ended()).toMatchObject([{ outcome }]);
  });

  it('that was quicker than its end has ended by itself', async () => {
    const { running, over, ended, jobs } = jobWorld();
    const { row, command } = await running();
    command.gate = deferred();
    jobs.get(row.jobId)?.end({ kind: 'stopped', by: 'person' });
    command.end({ facts: factsOf({ exitCode: 0 }) });
    command.gate.resolve();
    await over(row.jobId);
    expect(ended()).toMatchObject([{ outcome: 'ended', exitCode: 0 }]);
  });

  it('whose supervision breaks is ended, and the fault is told', async () => {
    const { running, over, commands, ended, faults, cleanups } = jobWorld();
    const done = deferred<never>();
    commands.onStart = (command) => Object.defineProperty(command, 'done', { value: done.promise });
    const { row } = await running();
    done.reject(new Error('lost the pipe'));
    await over(row.jobId);
    expect(faults).toMatchObject([{ message: 'lost the pipe' }]);
    expect([ended().length, only(cleanups.list()).phase]).toEqual([1, 'released']);
  });

  it('prints into its output and, live, under the call that started it', async () => {
    const { running, live, outputs } = jobWorld();
    const { command } = await running();
    command.request.onOutput?.('stdout', 'one ');
    command.request.onOutput?.('stderr', 'two');
    expect(only(outputs.opened).text).toBe('one two');
    expect(live).toEqual(['c1 stdout one ', 'c1 stderr two']);
  });

  it('is remembered when it is over, but not for ever', async () => {
    const { running, over, jobs } = jobWorld();
    const { row: first, command } = await running();
    command.end();
    await over(first.jobId);
    for (let count = 0; count < 50; count += 1) {
      const { row, command: next } = await running();
      next.end();
      await over(row.jobId);
    }
    expect([jobs.list().length, jobs.get(first.jobId)]).toEqual([50, undefined]);
  });
});

describe('closing', () => {
  it('ends every job, tries once more what failed, and observes no longer', async () => {
    const { jobs, running, ended, journal } = jobWorld();
    const [one, two] = [await running(), await running()];
    two.command.attempts.push(STUCK);
    await jobs.close();
    expect(ended()).toMatchObject([{ outcome: 'shutdown' }, { outcome: 'shutdown' }]);
    expect([one.command.closes, two.command.closes, journal.observers]).toEqual([1, 2, 0]);
    expect(jobs.close()).toBe(jobs.close());
  });

  it('returns from a job that cannot be ended, which stays a Cleanup and is told when its Session takes no more', async () => {
    const { jobs, running, ended, journal, cleanups, faults } = jobWorld();
    const { command } = await running();
    command.attempts.push(STUCK, STUCK);
    await jobs.close();
    expect([ended(), only(cleanups.list()).failed]).toEqual([[], { error: 'still alive' }]);
    journal.close();
    await cleanups.retry(only(cleanups.list()).cleanupId);
    await until(() => jobs.list()[0]?.state === 'ended');
    expect(faults.length).toBeGreaterThan(0);
  });

  it('starts nothing any more', async () => {
    const { jobs, request } = jobWorld();
    await jobs.close();
    await expect(jobs.start(request(), never)).rejects.toThrow('closed');
  });
});
