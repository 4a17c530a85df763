import { randomUUID } from 'node:crypto';
import { whole } from '../../app/base/text.ts';
import type { CleanupCause } from '../../app/cleanup/cleanup.ts';
import type { Ending } from '../../app/cleanup/ending.ts';
import type { EnvironmentEnd } from '../../app/ptc/events.ts';
import type {
  Completion,
  EnvironmentRequest,
  EnvironmentRow,
  ProgramBridge,
  Released,
} from '../../app/ptc/nodeProvider.ts';
import type { Exit } from '../../app/sandbox/provider.ts';
import type { OutputStream } from '../../app/tool/tool.ts';
import { Background } from './background.ts';
import type { Budgets } from './budgets.ts';
import { completionOf } from './completion.ts';
import type { DoneFrame, KernelFrame } from './frames.ts';
import { exitReason } from './exitReason.ts';
import { EnvironmentLife, type LifeParts } from './life.ts';
import { KernelLink } from './link.ts';
import type { NormalisedProgram } from './normalise.ts';
import { Positions } from './positions.ts';
import { ProgramRun, type ProgramLost } from './programRun.ts';
import type { Timers } from './timers.ts';

export interface EnvironmentParts extends LifeParts {
  /** What is in force now. */
  readonly budgets: () => Budgets;
  readonly timers: Timers;
  readonly changed: (change: EnvironmentChange) => void;
}

export interface EnvironmentChange {
  readonly change: 'started' | 'ended' | 'idle' | 'busy';
  readonly environment: EnvironmentRow;
  readonly reason?: EnvironmentEnd;
}

/** One sandboxed Node process and the programs that it runs, one at a time (ptc.md). */
export class NodeEnvironment {
  readonly parts: EnvironmentParts;
  /** Resolves when nothing of it is alive; its end is recorded then. */
  readonly gone: Promise<void>;
  readonly #life: EnvironmentLife;
  readonly #link: KernelLink;
  readonly #names = new Set<string>();
  readonly #positions = new Positions();
  readonly #background = new Background();
  #cells = 0;
  #run: ProgramRun | undefined;
  /** How the run ends if it does not stop softly. */
  #stopping: { readonly reason: EnvironmentEnd; readonly cause: CleanupCause } | undefined;
  #cancelIdle: () => void = () => undefined;

  constructor(parts: EnvironmentParts) {
    this.parts = parts;
    this.#life = new EnvironmentLife(parts);
    this.#link = new KernelLink(parts.process, parts.timers, {
      frame: (frame) => this.#frame(frame),
      raw: (stream, text) => this.#log(this.#run?.cell ?? 0, stream, text),
      broken: (reason) => this.#broken(reason),
      exited: (exit) => this.#exited(exit),
    });
    if (!parts.spare) parts.changed({ change: 'started', environment: this.row() });
    this.gone = this.#life.gone.then(() => this.#tellEnded());
  }

  /** The kernel answers. Pending for ever when it does not: whoever waits watches `gone` and a clock too. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  get isSpare(): boolean {
    return this.#life.isSpare;
  }

  get request(): EnvironmentRequest {
    return this.#life.request;
  }

  /** From now on it is ended when nothing needs it for as long as an idle one may live. */
  rest(): void {
    const { timers, budgets } = this.parts;
    this.#cancelIdle = timers.after(budgets().idleMs, () => this.end('idle', { kind: 'idle' }));
  }

  /** Whether its kernel is there at this moment: one that died may not have been heard of yet. */
  async answers(): Promise<boolean> {
    const answered = await Promise.race([this.#link.answers(ANSWER_MS), this.outcome().then(() => false)]);
    return answered && !this.reason;
  }

  /** A spare becomes somebody's. */
  handOut(request: EnvironmentRequest): void {
    this.#cancelIdle();
    this.#life.handOut(request);
    this.parts.changed({ change: 'started', environment: this.row() });
  }

  /** It has run a program: there may be variables. */
  get hasRun(): boolean {
    return this.#cells > 0;
  }

  get stderr(): string {
    return this.#link.stderr;
  }

  /** Set as soon as it is ending: it runs nothing any more. */
  get reason(): EnvironmentEnd | undefined {
    return this.#life.reason;
  }

  get cleanup(): Ending | undefined {
    return this.#life.cleanup;
  }

  row(): EnvironmentRow {
    const { id, session, process } = this.parts;
    const { request } = this;
    return {
      id,
      sessionId: session.id,
      ...process.identity,
      mode: request.policy.mode,
      enforcement: process.enforcement,
      retained: request.owner !== undefined,
      idle: this.#run === undefined,
      variables: [...this.#names],
    };
  }

  async run(program: NormalisedProgram, bridge: ProgramBridge, signal: AbortSignal): Promise<Completion> {
    if (this.#run) throw new Error(`Environment ${this.parts.id} already runs a program`);
    if (this.reason) return this.#completion(undefined, await this.#lost());
    if (signal.aborted) return completionOf(STOPPED, { ...NOTHING, late: [] }, this.#positions);
    const run = this.#begin(program, bridge);
    const abort = () => this.#stop(run, 'abort');
    signal.addEventListener('abort', abort, { once: true });
    try {
      return this.#completion(run, await this.#unlessFull(run, await run.ended));
    } finally {
      signal.removeEventListener('abort', abort);
      this.#becomeIdle();
    }
  }

  /** Begins ending it, at once; safe inside an observer. The first reason stays. */
  end(reason: EnvironmentEnd, cause: CleanupCause): void {
    if (this.#life.end(reason, cause)) this.#beginEnd();
  }

  /** Ends it and resolves with how it went, when nothing of it is alive or ending it has failed. */
  async release(reason: EnvironmentEnd, cause: CleanupCause): Promise<Released> {
    this.end(reason, cause);
    const { exit, error } = await this.outcome();
    if (error !== undefined) return { ...exit, error };
    await this.gone;
    return exit;
  }

  /** How it went, once nothing of it is alive or ending it has failed; pending while it lives. */
  outcome(): ReturnType<EnvironmentLife['outcome']> {
    return this.#life.outcome();
  }

  #begin(program: NormalisedProgram, bridge: ProgramBridge): ProgramRun {
    this.#cancelIdle();
    this.#cells += 1;
    const cell = this.#cells;
    const token = randomUUID();
    const { source, assigned: names } = program;
    this.#positions.add(cell, program.shift);
    for (const name of program.names) this.#names.add(name);
    const run: ProgramRun = new ProgramRun({
      cell,
      token,
      bridge,
      budgets: this.parts.budgets(),
      timers: this.parts.timers,
      send: (frame) => this.#link.send(frame),
      exceeded: (reason) => this.#exceeded(run, reason),
    });
    this.#run = run;
    this.parts.changed({ change: 'busy', environment: this.row() });
    this.#link.send({ t: 'run', cell, token, source, names, tools: bridge.tools });
    return run;
  }

  /** A program that failed with the temp full failed of that; its process may hold open what fills it. */
  async #unlessFull(run: ProgramRun, end: DoneFrame | ProgramLost): Promise<DoneFrame | ProgramLost> {
    if (end.t === 'lost' || end.kind !== 'exception' || !(await this.parts.process.tempIsFull())) return end;
    this.end('temp-limit', { kind: 'limit' });
    this.#background.fault(run.cell, this.#positions.correct(end.stack));
    return this.#lost();
  }

  #exceeded(run: ProgramRun, reason: 'timeout' | 'output-limit'): void {
    if (reason === 'timeout') this.#stop(run, reason);
    else this.end(reason, { kind: 'limit' });
  }

  /** Softly where there is a watchdog: the kernel says in time that nothing of the program goes on, or it is ended. */
  #stop(run: ProgramRun, reason: 'abort' | 'timeout'): void {
    const cause: CleanupCause = { kind: reason === 'abort' ? 'stop' : 'limit' };
    // A temporary one has nothing to keep.
    if (!this.#link.canStop || this.request.owner === undefined) return this.end(reason, cause);
    if (this.#stopping) return;
    this.#stopping = { reason, cause };
    const { stopMs } = this.parts.budgets();
    const cancel = this.parts.timers.after(stopMs, () => this.end(reason, cause));
    void run.ended.then(cancel);
    this.#link.stop(run.cell);
  }

  #frame(frame: KernelFrame): void {
    switch (frame.t) {
      case 'log':
        return this.#log(frame.cell, frame.stream, frame.text);
      case 'display':
        return frame.cell === this.#run?.cell ? this.#run.display(frame.value) : undefined;
      case 'late':
        return this.#background.fault(frame.cell, this.#positions.correct(frame.text));
      case 'pong':
        return this.#run?.pong(frame.active);
      case 'call':
        return this.#broken(this.#run ? this.#run.call(frame) : UNASKED);
      case 'done':
        return this.#done(frame);
      case 'ready':
    }
  }

  #done(frame: DoneFrame): void {
    const stopping = this.#stopping;
    if (stopping && frame.kind === 'stopped' && !frame.inert) return this.end(stopping.reason, stopping.cause);
    this.#broken(this.#run ? this.#run.done(frame) : UNASKED);
  }

  #log(cell: number, stream: OutputStream, text: string): void {
    if (cell === this.#run?.cell) return this.#run.log(stream, text);
    this.#background.output(cell, text);
    if (this.#background.bytes > this.parts.budgets().outputBytes) this.end('output-limit', { kind: 'limit' });
  }

  /** The kernel never breaks the protocol: a program did, and nothing that this process says counts any more. */
  #broken(reason: string | undefined): void {
    if (reason === undefined) return;
    this.#background.fault(this.#run?.cell ?? 0, `the process was ended because ${reason}`);
    this.end('crash', { kind: 'limit' });
  }

  #exited(exit: Exit): void {
    const { exceeded, revealed } = this.parts.process;
    if (revealed !== undefined) return this.end('protected-entry', { kind: 'settings' });
    if (exceeded === 'memory' || exceeded === 'process') return this.end(`${exceeded}-limit`, { kind: 'limit' });
    // A program that is being stopped may end its process first, when what it waited for is ended: it was stopped all the same.
    this.#life.exited(this.#stopping?.reason ?? exitReason(exit, this.stderr), exit);
    this.#beginEnd();
  }

  #beginEnd(): void {
    this.#cancelIdle();
    this.#link.mute();
    this.#run?.silence();
    void this.#lost().then((lost) => this.#run?.lose(lost));
  }

  async #lost(): Promise<ProgramLost> {
    const { reason, exit } = await this.outcome();
    return { t: 'lost', reason, ...exit };
  }

  #completion(run: ProgramRun | undefined, end: DoneFrame | ProgramLost): Completion {
    const spoken = run?.spoken() ?? NOTHING;
    return completionOf(end, { ...spoken, late: this.#background.take() }, this.#positions);
  }

  #becomeIdle(): void {
    this.#run = undefined;
    this.#stopping = undefined;
    if (this.reason) return;
    this.parts.changed({ change: 'idle', environment: this.row() });
    if (this.request.owner !== undefined) this.rest();
  }

  #tellEnded(): void {
    const { reason } = this;
    if (this.isSpare) return;
    this.parts.changed({ change: 'ended', environment: this.row(), ...(reason && { reason }) });
  }
}

/** How long a spare may take to say that it is there; a new process takes less on a machine that is not busy. */
const ANSWER_MS = 500;
const NOTHING = { logs: whole(''), display: [] };
/** Of a program that was given up before it began. */
const STOPPED = { t: 'done', cell: 0, token: '', kind: 'stopped', inert: true } as const;
const UNASKED = 'it spoke for a program that does not run';
