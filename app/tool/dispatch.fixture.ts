import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ApprovalEvent } from '../approval/events.ts';
import { Approvals, type PendingApproval } from '../approval/approvals.ts';
import { causeOf, orAborted } from '../base/cancel.ts';
import type { ApprovalId, CallId, CleanupId, SessionId } from '../base/id.ts';
import { lossless, type Json } from '../base/json.ts';
import { whole } from '../base/text.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import { Cleanups } from '../cleanup/cleanups.ts';
import { Started } from '../cleanup/started.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import { only, until } from '../base/waiting.fixture.ts';
import type { HoldEnded, LeaseRefusal, LeaseRequest, LeaseRun } from '../lease/lease.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { foldPolicy, NO_POLICY, type PolicyPair, type PolicyState } from '../policy/fold.ts';
import type { Mode } from '../sandbox/mode.ts';
import { policyOf } from '../sandbox/policy.fixture.ts';
import type { Closed, EndPhase, ProcessIdentity, Unavailable } from '../sandbox/provider.ts';
import type { CallHooks } from './callHooks.ts';
import { createCatalogue } from './catalogue.ts';
import { Dispatch } from './dispatch.ts';
import type { DispatchSession } from './dispatchSession.ts';
import type { ToolEvent } from './events.ts';
import { cancelled, refused, type Outcome, type Result } from './result.ts';
import type { CallPlan, Tool, ToolRun } from './tool.ts';

type AnyEvent = ToolEvent | ApprovalEvent | CleanupEvent | PolicyEvent;

/** A Lease Owner's run that tells the trace what it is asked, and answers as a test wants. */
export class RecordingLease implements LeaseRun {
  readonly requests: LeaseRequest[] = [];
  readonly trace: string[];
  refusal: LeaseRefusal | undefined;
  hold: LeaseRefusal | HoldEnded | undefined;
  restored: LeaseRefusal | HoldEnded | undefined;
  closeError: string | undefined;
  gate: Deferred<void> | undefined;
  /** Called while the call is being retained. */
  onRetain: (() => void) | undefined;
  /** Calls that are admitted or held and not over. */
  open = 0;
  holds = 0;

  constructor(trace: string[]) {
    this.trace = trace;
  }

  async preparePaths(request: LeaseRequest): ReturnType<LeaseRun['preparePaths']> {
    this.requests.push(request);
    this.trace.push(`prepare ${request.kind === 'whole' ? 'whole' : request.paths.join(' ')}`);
    await this.gate?.promise;
    if (this.refusal) return this.refusal;
    this.open += 1;
    return {
      kind: 'call',
      retain: async () => {
        this.trace.push('retain');
        this.onRetain?.();
        if (this.hold) return this.hold;
        this.holds += 1;
        return { kind: 'hold', end: () => this.#endHold() };
      },
      close: async () => {
        this.trace.push('close');
        this.open -= 1;
        return this.closeError === undefined ? {} : { error: this.closeError };
      },
    };
  }

  async yield(asking?: CallId): ReturnType<LeaseRun['yield']> {
    this.trace.push(`yield ${asking ?? ''}`);
    return {
      resume: async (signal) => {
        this.trace.push('resume');
        signal.throwIfAborted();
        return this.restored;
      },
    };
  }

  async end(): Promise<void> {
    this.trace.push('end run');
  }

  #endHold(): void {
    this.trace.push('hold ends');
    this.holds -= 1;
  }
}

/** A process of nobody, which ends when a test says so. */
export class FakeProcess {
  readonly process: ProcessIdentity;
  readonly done = deferred<void>();
  /** What the next attempts to end it come to; when there is none left it goes. */
  readonly attempts: Closed[] = [];
  gate: Deferred<void> | undefined;
  alive = true;

  constructor(pid: number) {
    this.process = { pid, startTime: `t${pid}` };
  }

  readonly close = async (onPhase: (phase: EndPhase) => void): Promise<Closed> => {
    onPhase('terminating');
    await this.gate?.promise;
    const closed = this.attempts.shift() ?? { ok: true, exit: { exitCode: null, signal: 'SIGTERM' } };
    if (closed.ok) this.alive = false;
    this.done.resolve();
    return closed;
  };
}

export interface WorldOptions {
  readonly mode?: Mode;
  readonly fallback?: PolicyPair;
  readonly tools?: (world: ToolWorld) => readonly Tool[];
  readonly hooks?: CallHooks;
}

/** What the tools of a test work on. */
export interface ToolWorld {
  readonly files: Map<string, string>;
  readonly trace: string[];
  readonly go: Deferred<void>;
  readonly processes: FakeProcess[];
  readonly session: DispatchSession;
  /** `tool/started` events that were on disk when a body began. */
  readonly durable: boolean[];
}

/** One Session's dispatch with the real rooms around it; only the disk, the lease and the processes are not there. */
export function world(options: WorldOptions = {}) {
  const journal = new MemoryJournal<AnyEvent>();
  if (options.mode) journal.append({ type: 'sandbox/mode', data: { mode: options.mode } });
  const trace: string[] = [];
  const faults: unknown[] = [];
  const unavailable: { refusal?: Unavailable } = {};
  const session = sessionOf(journal, unavailable);
  const ids = counter();
  const onFault = (fault: unknown) => void faults.push(fault);
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const fallback = options.fallback && { fallback: options.fallback };
  const approvals = new Approvals({ newId: () => ids('a') as ApprovalId, digest, onFault, ...fallback });
  approvals.attend();
  const started = new Started();
  const cleanups = new Cleanups({ newId: () => ids('k') as CleanupId, now: () => 1, started, onFault });
  const work: ToolWorld = {
    files: new Map(),
    trace,
    go: deferred<void>(),
    processes: [],
    session,
    durable: [],
  };
  const catalogue = createCatalogue([...testTools(work, journal), ...(options.tools?.(work) ?? [])]);
  const output = () => undefined;
  const hooks = options.hooks && { hooks: options.hooks };
  const rest = { output, catalogue, onFault, ...fallback, ...hooks };
  const dispatch = new Dispatch({ session, approvals, cleanups, started, ...rest });
  journal.observe((event) => void trace.push(event.type));
  const lease = new RecordingLease(trace);
  const call = (tool: string, input: Json, more: { id?: string; signal?: AbortSignal } = {}): Promise<Result> =>
    dispatch.call(
      { callId: (more.id ?? 'c1') as CallId, tool, input, lease },
      more.signal ?? new AbortController().signal,
    );
  const setMode = (mode: Mode) => journal.append({ type: 'sandbox/mode', data: { mode } }).seq;
  const asked = async (count = 1): Promise<readonly PendingApproval[]> => {
    await until(() => approvals.list().length === count);
    return approvals.list();
  };
  const answer = async (decision: 'allow-once' | 'deny', note?: string) => {
    const { approvalId } = only(await asked());
    approvals.decide(approvalId, decision, { door: 'test', ...(note !== undefined && { note }) });
    return approvalId;
  };
  const of = (type: AnyEvent['type']) => journal.events.filter((event) => event.type === type).map(({ data }) => data);
  const rooms = { journal, session, approvals, started, cleanups, dispatch, lease, unavailable };
  return { ...rooms, ...work, faults, call, setMode, asked, answer, of };
}

export type World = ReturnType<typeof world>;

function sessionOf(journal: MemoryJournal<AnyEvent>, unavailable: { refusal?: Unavailable }): DispatchSession {
  const id = 's_1' as SessionId;
  return {
    id,
    journal,
    policyState: () => journal.events.reduce<PolicyState>(foldPolicy, NO_POLICY),
    lineage: () => [{ sessionId: id, title: 'Test' }],
    storable: async (value) => lossless(value),
    resolvePolicy: async (mode) => unavailable.refusal ?? policyOf(mode),
    seen: new Map(),
    confinementFault: async () => undefined,
    standingEnvironment: () => 'unchanged',
  };
}

function counter() {
  let made = 0;
  return (prefix: string) => `${prefix}_${(made += 1)}`;
}

function testTools(work: ToolWorld, journal: MemoryJournal<AnyEvent>): readonly Tool[] {
  return [writeTool(work, journal), lookTool(work), waitTool(work), spawnTool(work), brokenTool()];
}

/** Writes `path` into the memory; outside of `/w` only under full access. */
function writeTool(work: ToolWorld, journal: MemoryJournal<AnyEvent>): Tool {
  const input = z.strictObject({ path: z.string(), content: z.string().default('x') });
  return typed({
    ...common('write', input),
    nested: true,
    escalates: 'once',
    plan: async ({ path }, { policy: { mode } }) => {
      work.trace.push(`plan ${mode}`);
      const isAllowed = mode === 'danger-full-access' || (mode === 'workspace-write' && path.startsWith('/w/'));
      if (isAllowed) return { writes: [path] };
      return { writes: 'none', refusal: refused('denied', `Denied by ${mode}`) };
    },
    run: async ({ path, content }, run) => {
      const at = journal.events.findIndex((event) => event.type === 'tool/started' && event.data.callId === run.callId);
      work.durable.push(at >= 0 && at < journal.durable);
      work.trace.push(`run ${run.at.policy.mode}`);
      work.files.set(path, content);
      return { status: 'ok', content: 'written', value: { path } };
    },
  });
}

function lookTool(work: ToolWorld): Tool {
  return typed({
    ...common('look', z.strictObject({ path: z.string() })),
    effect: 'read',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    run: async ({ path }) => ({ status: 'ok', content: work.files.get(path) ?? 'nothing' }),
  });
}

/** Waits in its body for `go`; an abort ends it with what the signal says. */
function waitTool(work: ToolWorld): Tool {
  return typed({
    ...common('wait', z.strictObject({})),
    escalates: 'once',
    plan: async (_, { policy }): Promise<CallPlan> => {
      work.trace.push(`plan ${policy.mode}`);
      return { writes: policy.mode === 'read-only' ? 'none' : 'whole' };
    },
    run: async (_, run, signal) => {
      work.trace.push(`run ${run.at.policy.mode}`);
      await orAborted(work.go.promise, signal);
      return { status: 'ok', content: 'waited' };
    },
  });
}

/** Starts a fake process, and is over when that is; `forget` returns without it, `break` throws. */
function spawnTool(work: ToolWorld): Tool {
  const input = z.strictObject({ how: z.enum(['wait', 'forget', 'break', 'limit']).default('wait') });
  return typed({
    ...common('spawn', input),
    escalates: 'once',
    nested: true,
    plan: async () => ({ writes: 'whole' }),
    run: async ({ how }, run, signal): Promise<Outcome> => {
      const fake = new FakeProcess(100 + work.processes.length);
      work.processes.push(fake);
      const tracking = run.track({ title: how, process: fake.process, close: fake.close });
      if (how === 'break') throw new Error('broken body');
      if (how === 'forget') return { status: 'ok', content: 'forgotten' };
      if (how === 'limit') tracking.end({ kind: 'limit' });
      await fake.done.promise;
      tracking.gone();
      const isCancelled = signal.aborted;
      const facts = {
        exitCode: 0,
        signal: null,
        timedOut: false,
        cancelled: isCancelled,
        left: 0,
        durationMs: 1,
        output: whole(''),
      };
      return isCancelled ? { ...cancelled(causeOf(signal), 'ended'), facts } : { status: 'ok', content: 'done', facts };
    },
  });
}

function brokenTool(): Tool {
  return typed({
    ...common('broken', z.strictObject({ where: z.enum(['plan', 'run']) })),
    plan: async ({ where }) => {
      if (where === 'plan') throw new Error('broken plan');
      return { writes: 'whole' };
    },
    run: async () => {
      throw new Error('broken run');
    },
  });
}

/** A Tool of one input is one of any input as far as the catalogue goes: it parses before it calls. */
export function typed<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

export function common<Input>(name: string, input: z.ZodType<Input>) {
  return {
    name,
    description: name,
    input,
    effect: 'write' as const,
    presentation: 'generic' as const,
    nested: false,
    subject: async (asked: Input) => ({ kind: 'call' as const, input: asked as Json }),
    run: async (_: Input, run: ToolRun): Promise<Outcome> => ({ status: 'ok', content: run.callId }),
  };
}
