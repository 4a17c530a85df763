import { deferred, type Deferred } from '../base/deferred.ts';
import type { CallId, CleanupId, JobId, SessionId } from '../base/id.ts';
import { until } from '../base/waiting.fixture.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import { Cleanups } from '../cleanup/cleanups.ts';
import { Started } from '../cleanup/started.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { foldPolicy, NO_POLICY, type PolicyState } from '../policy/fold.ts';
import type { Mode } from '../sandbox/mode.ts';
import { policyOf } from '../sandbox/policy.fixture.ts';
import type { Closed, EndPhase, Unavailable } from '../sandbox/provider.ts';
import type { CommandDone, CommandRequest, Commands, Confinement, RunningCommand, StartFailed } from '../tool/ports.ts';
import { factsOf } from '../tool/tools/commands.fixture.ts';
import type { JobEvent } from './events.ts';
import { Jobs } from './jobs.ts';
import type { JobOutput, JobOutputs } from './output.ts';
import type { JobRequest } from './request.ts';
import type { JobRow } from './row.ts';

const never = new AbortController().signal;
const GONE: Closed = { ok: true, exit: { exitCode: null, signal: 'SIGKILL' } };

/** A command of nobody. It ends when a test says so, or when it is closed and the next attempt lets it go. */
export class FakeCommand implements RunningCommand {
  readonly kind = 'running';
  readonly enforcement = 'full';
  readonly process: { readonly pid: number; readonly startTime: string };
  readonly request: CommandRequest;
  readonly at: Confinement;
  /** What the next attempts to end it come to; when there is none left it goes. */
  readonly attempts: Closed[] = [];
  gate: Deferred<void> | undefined;
  begun = false;
  closes = 0;
  readonly #done = deferred<CommandDone>();

  constructor(pid: number, request: CommandRequest, at: Confinement) {
    this.process = { pid, startTime: `t${pid}` };
    this.request = request;
    this.at = at;
  }

  get done(): Promise<CommandDone> {
    return this.#done.promise;
  }

  go(): void {
    this.begun = true;
  }

  end(done: Partial<CommandDone> = {}): void {
    this.#done.resolve({ facts: factsOf(), hints: [], ...done });
  }

  readonly close = async (onPhase?: (phase: EndPhase) => void): Promise<Closed> => {
    this.closes += 1;
    onPhase?.('terminating');
    await this.gate?.promise;
    const closed = this.attempts.shift() ?? GONE;
    const facts = factsOf({ exitCode: null, signal: closed.ok ? 'SIGTERM' : null, cancelled: true });
    this.end({ facts, ...(!closed.ok && { closeError: closed.error }) });
    return closed;
  };
}

export class FakeCommands implements Commands {
  readonly started: FakeCommand[] = [];
  refusal: StartFailed | Unavailable | undefined;
  gate: Deferred<void> | undefined;
  /** Called when one is there and nobody has been told. */
  onStart: (command: FakeCommand) => void = () => undefined;

  async start(request: CommandRequest, at: Confinement): Promise<FakeCommand | StartFailed | Unavailable> {
    await this.gate?.promise;
    if (this.refusal) return this.refusal;
    const command = new FakeCommand(100 + this.started.length, request, at);
    this.started.push(command);
    this.onStart(command);
    return command;
  }
}

/** Keeps everything. */
class MemoryOutput implements JobOutput {
  text = '';
  closed = 0;

  write(text: string): void {
    this.text += text;
  }

  async page(from: number) {
    return { text: this.text.slice(from), from, next: this.text.length, last: true, dropped: 0 };
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

class MemoryOutputs implements JobOutputs {
  readonly opened: MemoryOutput[] = [];

  async open(): Promise<MemoryOutput> {
    const output = new MemoryOutput();
    this.opened.push(output);
    return output;
  }
}

/** The jobs of one Session over commands of nobody. */
export function jobWorld() {
  const journal = new MemoryJournal<JobEvent | CleanupEvent | PolicyEvent>();
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const started = new Started();
  let ids = 0;
  const newId = () => `k_${(ids += 1)}` as CleanupId;
  const cleanups = new Cleanups({ newId, now: () => 100, started, onFault });
  const commands = new FakeCommands();
  const outputs = new MemoryOutputs();
  const rows: JobRow[] = [];
  const live: string[] = [];
  const policyState = () =>
    journal.events.reduce<PolicyState>((state, event) => foldPolicy(state, event as never), NO_POLICY);
  const session = { id: 's_1' as SessionId, journal, policyState };
  const jobs = new Jobs({
    session,
    commands,
    outputs,
    cleanups,
    started,
    newId: () => `j_${(ids += 1)}` as JobId,
    changed: (row) => void rows.push(row),
    output: (callId, stream, text) => void live.push(`${callId} ${stream} ${text}`),
    onFault,
  });
  const request = (more: Partial<JobRequest> = {}, mode: Mode = 'workspace-write'): JobRequest => {
    const at = { sessionId: session.id, policy: policyOf(mode) };
    return { callId: 'c1' as CallId, title: 'a', command: 'x', cwd: '/ws', at, ...more };
  };
  return {
    journal,
    faults,
    started,
    cleanups,
    commands,
    outputs,
    rows,
    live,
    session,
    jobs,
    request,
    /** A job that runs, and its command. */
    running: async (more: Partial<JobRequest> = {}) => {
      const row = await jobs.start(request(more), never);
      const command = commands.started.at(-1);
      if (!('jobId' in row) || !command) throw new Error(`It did not start: ${row.kind}`);
      return { row, command };
    },
    setMode: (mode: Mode) => journal.append({ type: 'sandbox/mode', data: { mode } }),
    stateOf: (id: JobId) => jobs.get(id)?.state,
    ended: () => journal.events.flatMap((event) => (event.type === 'job/ended' ? [event.data] : [])),
    over: (id: JobId) => until(() => jobs.get(id)?.state === 'ended'),
  };
}
