import { causeOf, type CancelCause } from '../base/cancel.ts';
import type { CallId, JobId, SessionId } from '../base/id.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import type { Journal } from '../log/journal.ts';
import { observeChanges } from '../policy/change.ts';
import type { PolicyEvent } from '../policy/events.ts';
import type { PolicyPair, PolicyState } from '../policy/fold.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import type { Commands, StartFailed } from '../tool/ports.ts';
import type { OutputStream } from '../tool/tool.ts';
import type { JobEvent } from './events.ts';
import { Job, type JobEnded } from './job.ts';
import type { JobOutput, JobOutputs } from './output.ts';
import type { JobRequest, NotBegun, TooMany } from './request.ts';
import type { JobRow } from './row.ts';

/** A Session as its jobs see it. */
export interface JobSession {
  readonly id: SessionId;
  readonly journal: Journal<JobEvent | CleanupEvent | PolicyEvent>;
  policyState(): PolicyState;
}

export interface JobsParts {
  readonly session: JobSession;
  readonly commands: Commands;
  readonly outputs: JobOutputs;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly newId: () => JobId;
  /** The row of a job is another. */
  readonly changed: (row: JobRow) => void;
  /** What a job prints, live, under the call that started it; also long after that call. */
  readonly output: (callId: CallId, stream: OutputStream, text: string) => void;
  readonly onFault: (fault: unknown) => void;
  /** The bare pair of the composition. */
  readonly fallback?: PolicyPair;
}

type Launched = Pick<Job['made'], 'id' | 'command' | 'output'>;

/** Jobs of one Session that may live at once (agent.md, Delegation and background tasks). */
export const MOST_JOBS = 10;
/** Ended ones that are still listed, and whose output can still be read. */
const REMEMBERED = 50;

/** The jobs of one Session. Its observer ends them at the commit of a changed Mode or changed settings; nobody waits for that. */
export class Jobs {
  readonly #parts: JobsParts;
  readonly #jobs = new Map<JobId, Job>();
  readonly #starting = new Set<Promise<unknown>>();
  /** Those of them that are not yet among the jobs. */
  #launching = 0;
  readonly #unobserve: () => void;
  /** What no job outlives that was being started when it came. */
  #lastChange: CancelCause | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: JobsParts) {
    this.#parts = parts;
    this.#unobserve = observeChanges(parts.session, ({ kind, seq }) => this.#endAll({ kind, seq }), parts.fallback);
  }

  /** No more may be started now: what is being ended may live, and counts. */
  get areTooMany(): boolean {
    const alive = [...this.#jobs.values()].filter(({ state }) => state !== 'ended').length;
    return alive + this.#launching >= MOST_JOBS;
  }

  /** `job/started` is on disk before the command does anything. Rejects with a StorageError, with nothing left. */
  async start(
    request: JobRequest,
    signal: AbortSignal,
  ): Promise<JobRow | NotBegun | TooMany | StartFailed | Unavailable> {
    if (this.#closing) throw new Error('The jobs of this Session are closed');
    if (this.areTooMany) return { kind: 'too-many' };
    const starting = this.#start(request, signal);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  get(id: JobId): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Those that live, and the last ones that have ended; in the order in which they were started. */
  list(): readonly JobRow[] {
    return Array.from(this.#jobs.values(), ({ row }) => row);
  }

  /** Ends every job. What could not be ended stays a Cleanup; otherwise nothing is left when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(request: JobRequest, signal: AbortSignal): Promise<JobRow | NotBegun | StartFailed | Unavailable> {
    const before = this.#lastChange;
    const job = await this.#launch(request, signal);
    if (!(job instanceof Job)) return signal.aborted ? { kind: 'not-begun', why: causeOf(signal) } : job;
    const change = this.#lastChange === before ? undefined : this.#lastChange;
    // Changed while it was being launched: then it was no job yet that the observer could have ended.
    if (change) job.end(change);
    await this.#record(job, signal);
    if (job.state === 'running') {
      job.made.command.go();
      return job.row;
    }
    await job.settled();
    return { kind: 'not-begun', why: signal.aborted ? causeOf(signal) : (change ?? STOPPED) };
  }

  /** From its first moment on it is among the jobs, or counts as one that is being launched. */
  async #launch(request: JobRequest, signal: AbortSignal): Promise<Job | StartFailed | Unavailable> {
    const { session, newId, outputs } = this.#parts;
    const id = newId();
    this.#launching += 1;
    try {
      const output = await outputs.open(session.id, id, request.at.policy.settings.limits.outputBytes);
      try {
        const command = await this.#command(request, output, signal);
        if (command.kind === 'running') return await this.#add(request, { id, command, output });
        await output.close();
        return command;
      } catch (fault) {
        await output.close();
        throw fault;
      }
    } finally {
      this.#launching -= 1;
    }
  }

  #command({ callId, command, cwd, at }: JobRequest, output: JobOutput, signal: AbortSignal) {
    const onOutput = (stream: OutputStream, text: string) => {
      output.write(text);
      this.#parts.output(callId, stream, text);
    };
    return this.#parts.commands.start(
      { run: { shell: command }, cwd, keeps: 'tail', held: true, onOutput },
      at,
      signal,
    );
  }

  async #add({ callId, title, paths, at }: JobRequest, launched: Launched): Promise<Job> {
    const { session: subject, cleanups, started, changed, onFault } = this.#parts;
    const { id, command } = launched;
    const told = { callId, title, ...(paths && { paths }) };
    let seq: number;
    try {
      ({ seq } = subject.journal.append({
        type: 'job/started',
        data: { jobId: id, kind: 'command', ...told, ...command.process },
      }));
    } catch (fault) {
      await command.close();
      throw fault;
    }
    const parts = { subject, cleanups, started, changed, onFault, ended: (event: JobEnded) => this.#ended(event) };
    const job = new Job({ ...told, ...launched, seq, mode: at.policy.mode }, parts);
    this.#jobs.set(id, job);
    changed(job.row);
    return job;
  }

  /** The log could not take it, or its call is over: nobody would know of it. */
  async #record(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.session.journal.flush();
    } catch (fault) {
      job.end({ kind: 'stopped', by: 'parent' });
      await job.settled();
      throw fault;
    }
    if (signal.aborted) job.end(causeOf(signal));
  }

  #ended(event: JobEnded): void {
    try {
      this.#parts.session.journal.append(event);
    } catch (fault) {
      // Closed: it could not be ended while the Session was there. Whoever opens the log says that it is over.
      this.#parts.onFault(fault);
    }
    this.#forget();
  }

  #forget(): void {
    const ended = [...this.#jobs.values()].filter(({ state }) => state === 'ended');
    for (const { made } of ended.slice(0, -REMEMBERED)) this.#jobs.delete(made.id);
  }

  #endAll(why: CancelCause): void {
    this.#lastChange = why;
    for (const job of this.#jobs.values()) job.end(why);
  }

  async #close(): Promise<void> {
    this.#unobserve();
    this.#endAll({ kind: 'shutdown' });
    await Promise.allSettled(this.#starting);
    await Promise.all(Array.from(this.#jobs.values(), settle));
  }
}

const STOPPED: CancelCause = { kind: 'stopped', by: 'parent' };

/** An ending that failed is tried once more. */
async function settle(job: Job): Promise<void> {
  if (!(await job.settled())) return;
  job.end({ kind: 'shutdown' });
  await job.settled();
}
