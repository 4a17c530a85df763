import { Cancelled, type CancelCause } from '../base/cancel.ts';
import { deferred } from '../base/deferred.ts';
import { messageOf } from '../base/fault.ts';
import type { CallId, JobId } from '../base/id.ts';
import type { Cleanup } from '../cleanup/cleanup.ts';
import type { Cleanups, CleanupSubject } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import type { Facts } from '../sandbox/facts.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Closed, EndPhase, Exit } from '../sandbox/provider.ts';
import { LiveProcess } from '../tool/liveProcess.ts';
import type { RunningCommand } from '../tool/ports.ts';
import type { JobEvent, JobOutcome } from './events.ts';
import type { JobOutput } from './output.ts';
import type { JobRow, JobState } from './row.ts';

export type JobEnded = Extract<JobEvent, { readonly type: 'job/ended' }>;

export interface JobParts {
  readonly subject: CleanupSubject;
  readonly cleanups: Cleanups;
  readonly started: Started;
  /** Its row is another. */
  readonly changed: (row: JobRow) => void;
  /** Nothing of it lives: its one `job/ended`. */
  readonly ended: (event: JobEnded) => void;
  readonly onFault: (fault: unknown) => void;
}

export interface JobMade {
  readonly id: JobId;
  readonly callId: CallId;
  readonly title: string;
  /** Of its `job/started`. */
  readonly seq: number;
  readonly mode: Mode;
  readonly paths?: readonly string[];
  readonly command: RunningCommand;
  readonly output: JobOutput;
}

interface Ended extends Exit {
  readonly outcome: JobOutcome;
}

/** A command that runs beside the turns. It is listed until nothing of it lives, and ended only as a Cleanup. */
export class Job {
  readonly made: JobMade;
  readonly #parts: JobParts;
  readonly #live: LiveProcess;
  readonly #ending = new AbortController();
  readonly #over = deferred<void>();
  #state: JobState = 'running';
  #why: JobOutcome | undefined;
  #end: Ended | undefined;
  /** How a process went that its supervisor had given up. */
  #exit: Exit | undefined;

  constructor(made: JobMade, parts: JobParts) {
    this.made = made;
    this.#parts = parts;
    const { subject, cleanups, started } = parts;
    const { id, title, mode, command } = made;
    const { process } = command;
    const tracked = { title, process, close: (onPhase: (phase: EndPhase) => void) => this.#close(onPhase) };
    const item = { what: 'job', id, title, mode, process } as const;
    this.#live = new LiveProcess({ subject, cleanups, started, item, process: tracked }, this.#ending.signal);
    void this.#follow();
  }

  get state(): JobState {
    return this.#state;
  }

  get row(): JobRow {
    const { id, title, seq, paths, mode, command } = this.made;
    return {
      jobId: id,
      sessionId: this.#parts.subject.id,
      kind: 'command',
      title,
      state: this.#state,
      seq,
      mode,
      ...command.process,
      ...(paths && { paths }),
      ...this.#end,
    };
  }

  /** Resolves when nothing of it lives and its end is in the log. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Begins ending; the first cause stands. Where that has failed, this is a retry. Safe inside an observer. */
  end(why: CancelCause): void {
    if (this.#state === 'ended') return;
    this.#why ??= outcomeOf(why);
    if (this.#live.ending) void this.#live.ending.retry();
    else this.#ending.abort(new Cancelled(why));
    this.#become('ending');
  }

  /** Resolves when it is over, or with the failure when the attempt at ending it is over. */
  async settled(): Promise<Cleanup | undefined> {
    const ending = await this.#live.ending?.settled();
    if (ending?.failed) return ending;
    await this.over;
    return undefined;
  }

  async #close(onPhase: (phase: EndPhase) => void): Promise<Closed> {
    const closed = await this.made.command.close(onPhase);
    if (closed.ok) this.#exit = closed.exit;
    return closed;
  }

  async #follow(): Promise<void> {
    const { facts, error } = await this.#done();
    if (error === undefined) this.#live.gone();
    else this.#endRest();
    await this.#live.whenGone;
    await this.made.output.close().catch(this.#parts.onFault);
    this.#finish(facts, error === undefined ? undefined : this.#exit);
  }

  async #done(): Promise<{ readonly facts?: Facts; readonly error?: string }> {
    try {
      const { facts, closeError: error } = await this.made.command.done;
      return { facts, ...(error !== undefined && { error }) };
    } catch (fault) {
      this.#parts.onFault(fault);
      return { error: messageOf(fault) };
    }
  }

  /** It ended, and what it left behind could not be ended with it. */
  #endRest(): void {
    this.#live.end({ kind: 'stop' });
    this.#become('ending');
  }

  #finish(facts: Facts | undefined, exit: Exit | undefined): void {
    const { exitCode = null, signal = null } = exit ?? facts ?? {};
    this.#end = { outcome: endOf(facts, this.#why), exitCode, signal };
    this.#state = 'ended';
    this.#parts.ended({ type: 'job/ended', data: { jobId: this.made.id, ...this.#end } });
    this.#parts.changed(this.row);
    this.#over.resolve();
  }

  #become(state: JobState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#parts.changed(this.row);
  }
}

/**
 * Some limits end a job, and that outranks everything; a full temp ends none, it is why one failed. A job that was quicker
 * than its end has ended by itself. Output beyond its limit was cut, and nothing was ended for it.
 */
function endOf(facts: Facts | undefined, why: JobOutcome | undefined): JobOutcome {
  if (facts?.revealed !== undefined) return 'protected-entry';
  if (facts?.limit === 'memory' || facts?.limit === 'heap') return 'memory-limit';
  if (facts?.limit === 'process') return 'process-limit';
  if (facts?.cancelled !== false) return why ?? 'ended';
  return facts.limit === 'temp' && facts.exitCode !== 0 ? 'temp-limit' : 'ended';
}

function outcomeOf({ kind }: CancelCause): JobOutcome {
  switch (kind) {
    case 'mode-changed':
    case 'settings-changed':
    case 'shutdown':
      return kind;
    case 'unload':
      return 'shutdown';
    default:
      return 'stopped';
  }
}
