import { create } from 'zustand';
import type { CallId, CleanupId, EnvironmentId, JobId, SessionId } from '../../app/base/id.ts';
import type { Cleanup } from '../../app/cleanup/cleanup.ts';
import type { Notice, Push } from '../../app/contract/pushes.ts';
import type { JobRow } from '../../app/job/row.ts';
import type { EnvironmentRow } from '../../app/ptc/nodeProvider.ts';
import { request } from '../api.ts';

/** What runs on this machine for any Session, and what is being ended. */
export interface Machine {
  /** In the order they were asked for; a released one stays a while, so that a person can see that it is gone. */
  readonly cleanups: ReadonlyMap<CleanupId, Cleanup>;
  readonly environments: ReadonlyMap<EnvironmentId, EnvironmentRow>;
  /** In the order they were started; those that have ended stay, as far as main still tells them. */
  readonly jobs: ReadonlyMap<JobId, JobRow>;
  readonly notices: ReadonlyMap<string, Notice>;
  /**
   * What running calls of the Session that is shown print, the last of it; gone with the call's result, which holds the
   * truth. A job goes on printing after the result of the call that started it.
   */
  readonly output: ReadonlyMap<CallId, string>;
}

export const useMachine = create<Machine>(() => ({
  cleanups: new Map(),
  environments: new Map(),
  jobs: new Map(),
  notices: new Map(),
  output: new Map(),
}));

const RELEASED_SHOWN_MS = 60_000;
const TAIL = 32 * 1024;
/** Jobs that have ended, of all Sessions; the log has all of them. */
const ENDED_SHOWN = 200;

export async function loadMachine(): Promise<void> {
  const [{ cleanups }, { environments }, { jobs }] = await Promise.all([
    request('cleanup.list', {}),
    request('environment.list', {}),
    request('job.list', {}),
  ]);
  useMachine.setState({
    cleanups: new Map(cleanups.map((cleanup) => [cleanup.cleanupId, cleanup])),
    environments: new Map(environments.map((row) => [row.id, row])),
    jobs: new Map(jobs.map((row) => [row.jobId, row])),
    output: new Map(),
  });
}

export function hearCleanup(cleanup: Cleanup): void {
  const { cleanupId, phase } = cleanup;
  useMachine.setState(({ cleanups }) => ({ cleanups: new Map(cleanups).set(cleanupId, cleanup) }));
  if (phase === 'released') setTimeout(() => forget(cleanupId), RELEASED_SHOWN_MS);
}

export function hearEnvironment({ change, environment }: Extract<Push, { push: 'environment' }>['data']): void {
  useMachine.setState(({ environments }) => {
    const next = new Map(environments);
    if (change === 'ended') next.delete(environment.id);
    else next.set(environment.id, environment);
    return { environments: next };
  });
}

export function hearJob(job: JobRow): void {
  useMachine.setState(({ jobs }) => ({ jobs: withoutOldest(new Map(jobs).set(job.jobId, job)) }));
}

export function hearNotice(notice: Notice): void {
  useMachine.setState(({ notices }) => {
    const next = new Map(notices);
    if (notice.closed) next.delete(notice.noticeId);
    else next.set(notice.noticeId, notice);
    return { notices: next };
  });
}

export function dismissNotice(noticeId: string): void {
  useMachine.setState(({ notices }) => {
    const next = new Map(notices);
    next.delete(noticeId);
    return { notices: next };
  });
}

/** What the calls of one frame printed, and the calls that have their result. */
export function hearOutput(parts: ReadonlyMap<CallId, string>, ended: readonly CallId[]): void {
  if (parts.size === 0 && ended.length === 0) return;
  useMachine.setState(({ output }) => {
    const next = new Map(output);
    for (const [callId, text] of parts) next.set(callId, ((next.get(callId) ?? '') + text).slice(-TAIL).toWellFormed());
    for (const callId of ended) next.delete(callId);
    return { output: next };
  });
}

/** Another Session is shown, whose calls may have the same ids. */
export function forgetOutput(): void {
  useMachine.setState({ output: new Map() });
}

export async function retryCleanup(cleanupId: CleanupId): Promise<void> {
  await request('cleanup.retry', { cleanupId });
}

/** Ends the Session's retained Environments; its variables are gone. */
export async function resetEnvironment(sessionId: SessionId): Promise<void> {
  await request('environment.reset', { sessionId });
}

/** Answered when it is being ended; that it is gone comes as a push. */
export async function stopJob(jobId: JobId): Promise<void> {
  await request('job.stop', { jobId });
}

function withoutOldest(jobs: Map<JobId, JobRow>): ReadonlyMap<JobId, JobRow> {
  const ended = Array.from(jobs.values()).filter(({ state }) => state === 'ended');
  for (const { jobId } of ended.slice(0, -ENDED_SHOWN)) jobs.delete(jobId);
  return jobs;
}

function forget(cleanupId: CleanupId): void {
  useMachine.setState(({ cleanups }) => {
    if (cleanups.get(cleanupId)?.phase !== 'released') return {};
    const next = new Map(cleanups);
    next.delete(cleanupId);
    return { cleanups: next };
  });
}
