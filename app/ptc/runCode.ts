import * as z from 'zod';
import { Cancelled, causeOf } from '../base/cancel.ts';
import type { SessionId } from '../base/id.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import type { Effect } from '../tool/events.ts';
import type { Confinement } from '../tool/ports.ts';
import { refused, refusedAs, type Outcome, type Receipt, type Result } from '../tool/result.ts';
import type { Tool, ToolRun } from '../tool/tool.ts';
import { Bridge, type NestedCall } from './bridge.ts';
import { withDenials, type Denials } from './denials.ts';
import { outcomeOf } from './outcome.ts';
import type {
  CleanupFailed,
  Completion,
  Environment,
  EnvironmentRequest,
  KeyConflict,
  NodeProvider,
  PreparedProgram,
  Released,
  SessionEnvironments,
} from './nodeProvider.ts';

const input = z.strictObject({
  code: z.string(),
  title: z.string().min(1).max(200),
  retain: z.boolean().default(true),
});
export type RunCodeInput = z.output<typeof input>;

/** What `run_code` needs of the Session whose call it runs. */
export interface ProgramSession {
  readonly id: SessionId;
  readonly environments: SessionEnvironments;
  readonly nestedTools: readonly string[];
  /** Of those tools, for the model. */
  readonly declarations: string;
  readonly effectOf: (tool: string) => Effect;
  /** What the sandbox of that policy denies, as far as the message of an error speaks of it. */
  denialsIn(message: string, at: Confinement): Denials | undefined;
  dispatchNested(call: NestedCall, parent: NestedParent, signal: AbortSignal): Promise<Result>;
}

export interface NestedParent {
  readonly run: ToolRun;
  readonly code: string;
}

const DESCRIPTION = `Runs one JavaScript (or erasable TypeScript) program in a sandboxed Node process and returns its completion value.
Top-level await, import and require work; tools are called as \`await tools.<name>(input)\` and throw ToolError on refusal.
Variables stay for the next program of this Session unless \`retain\` is false. With \`escalate\` the program runs once in a fresh
process without the standing variables.`;

const ESCALATES =
  'Runs this program once under a wider mode, if a person allows it: in a fresh process without the standing variables, so it must contain everything it needs.';

/** The tool that runs programs (ptc.md). One per Session: its Environments belong to exactly one. */
export function runCodeTool(provider: NodeProvider, session: ProgramSession): Tool<RunCodeInput> {
  return {
    name: 'run_code',
    get description() {
      return `${DESCRIPTION}\n\n${session.declarations}`;
    },
    input,
    effect: 'write',
    presentation: 'program',
    nested: false,
    escalates: ESCALATES,
    starts: 'program',
    startsItself: true,
    // The next program waits until nothing of an older Mode lives; only then is the latest policy judged (ptc.md).
    ready: async (signal) => cleanupRefusal(await session.environments.settled(signal)),
    plan: async ({ code }, _at, signal) => {
      const prepared = await provider.prepare(code, signal);
      if (prepared.kind === 'program') return { writes: 'whole' };
      const { message, line, column } = prepared;
      return { writes: 'none', refusal: refused('syntax', `SyntaxError: ${message} (line ${line}, column ${column})`) };
    },
    subject: async ({ code, title }, at) => ({ kind: 'program', code, title, cwd: at.policy.workspace.path }),
    run: (program, run, signal) => new ProgramRun(provider, session, run).execute(program, signal),
  };
}

class ProgramRun {
  readonly #provider: NodeProvider;
  readonly #session: ProgramSession;
  readonly #run: ToolRun;

  constructor(provider: NodeProvider, session: ProgramSession, run: ToolRun) {
    this.#provider = provider;
    this.#session = session;
    this.#run = run;
  }

  async execute({ code, retain }: RunCodeInput, signal: AbortSignal): Promise<Outcome> {
    const program = await this.#provider.prepare(code, signal);
    if (program.kind === 'syntax') throw new Error('A program that does not parse was not refused');
    const retained = retain && this.#run.approvalId === undefined;
    const request: EnvironmentRequest = {
      policy: this.#run.at.policy,
      standing: this.#run.standing,
      ...(retained && { owner: this.#session.id }),
    };
    const environment = await this.#acquire(request, signal);
    if (environment.kind !== 'environment') return this.#notStarted(environment);
    let completion: Completion;
    try {
      await this.#run.started(environment.id);
      completion = await this.#evaluate(environment, { program, bridge: this.#bridge(code) }, signal);
    } catch (fault) {
      if (!environment.retained) await environment.release();
      throw fault;
    }
    const released = environment.retained ? undefined : await environment.release();
    const ended = outcomeOf(completion, { environment, signal, escalated: this.#run.approvalId !== undefined });
    const outcome = withDenials(ended, completion, (message) => this.#session.denialsIn(message, this.#run.at));
    return { ...outcome, ...notReleased(environment, released), ...this.#proof(environment, released) };
  }

  /** A standing process of another key that no change has ended (its workspace was made again) is released first (ptc.md). */
  async #acquire(request: EnvironmentRequest, signal: AbortSignal): ReturnType<SessionEnvironments['acquire']> {
    const { environments } = this.#session;
    const acquired = await environments.acquire(request, signal);
    if (acquired.kind !== 'key-conflict') return acquired;
    this.#run.recheck();
    await environments.reset();
    return await environments.acquire(request, signal);
  }

  async #evaluate(
    environment: Environment,
    { program, bridge }: { readonly program: PreparedProgram; readonly bridge: Bridge },
    signal: AbortSignal,
  ): Promise<Completion> {
    const end = () => bridge.end(signal.aborted ? new Cancelled(causeOf(signal)) : undefined);
    // At the abort, not when the process has ended: what waits in the bridge must not start under another policy.
    const abort = () => void end();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await environment.run(program, bridge, signal);
    } finally {
      signal.removeEventListener('abort', abort);
      await end();
    }
  }

  #bridge(code: string): Bridge {
    const run = this.#run;
    return new Bridge({
      callId: run.callId,
      tools: this.#session.nestedTools,
      effectOf: this.#session.effectOf,
      dispatch: (call, signal) => this.#session.dispatchNested(call, { run, code }, signal),
      output: (stream, text) => run.output(stream, text),
    });
  }

  #notStarted(refusal: KeyConflict | CleanupFailed | Unavailable): Outcome {
    this.#run.recheck(); // Taken away by a change meanwhile: judged and started anew, not refused.
    switch (refusal.kind) {
      case 'cleanup-failed':
        return cleanupFailed(refusal);
      case 'key-conflict':
        return refused('environment-lost', refusal.message);
      case 'unavailable':
        return refusedAs(refusal);
    }
  }

  #proof(environment: Environment, released: Released | undefined): { receipt?: Receipt } {
    const { approvalId } = this.#run;
    if (approvalId === undefined || !released) return {};
    const standing = this.#session.environments.list().some((row) => row.retained) ? 'unchanged' : 'none';
    return {
      receipt: {
        approvalId,
        environmentId: environment.id,
        pid: environment.process.pid,
        startTime: environment.process.startTime,
        mode: environment.mode,
        exitCode: released.exitCode,
        signal: released.signal,
        releasedBeforeReturn: released.error === undefined,
        standing,
      },
    };
  }
}

function notReleased({ process }: Environment, released: Released | undefined): { cleanupError?: string } {
  return released?.error === undefined ? {} : { cleanupError: `process ${process.pid}: ${released.error}` };
}

function cleanupRefusal(failure: CleanupFailed | undefined): Outcome | undefined {
  return failure && cleanupFailed(failure);
}

function cleanupFailed({ cleanupId, pid, phase, error }: CleanupFailed): Outcome {
  const who = pid === undefined ? 'a process' : `process ${pid}`;
  return refused(
    'CLEANUP_FAILED',
    `Nothing was run: ${who} of an older policy could not be ended (cleanup ${cleanupId}, phase ${phase}: ${error}). A person can retry the cleanup.`,
  );
}
