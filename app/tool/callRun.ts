import { Cancelled, causeOf } from '../base/cancel.ts';
import type { EnvironmentId } from '../base/id.ts';
import type { CleanupCause, StartedItem, What } from '../cleanup/cleanup.ts';
import type { Cleanups, Ending } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import type { Mode } from '../sandbox/mode.ts';
import { writableRoots } from '../sandbox/policy.ts';
import type { ApprovalId, CallId } from '../base/id.ts';
import type { DispatchSession } from './dispatchSession.ts';
import type { Effect } from './events.ts';
import type { Call } from './inFlight.ts';
import type { Confinement } from './ports.ts';
import type { ToolRun, TrackedProcess, Tracking } from './tool.ts';

/** The policy changed between the verdict and the start: nothing has started, the call is judged anew. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export interface Admitted {
  readonly callId: CallId;
  readonly tool: string;
  readonly effect: Effect;
  readonly what: What;
  readonly nested: boolean;
  readonly call: Call;
  readonly at: Confinement;
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  /** Whether the policy is still the one of the verdict. */
  readonly current: () => boolean;
  /** Uses the approval up; false when it was used before. */
  readonly spend: () => boolean;
}

export interface CallRunParts {
  readonly session: DispatchSession;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly output: (callId: CallId, stream: 'stdout' | 'stderr' | 'log', text: string) => void;
}

/** One admitted call: what its body may do, and what of it is being ended. */
export class CallRun implements ToolRun {
  readonly callId: CallId;
  readonly at: Confinement;
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  readonly seen: Map<string, string>;
  readonly #admitted: Admitted;
  readonly #parts: CallRunParts;
  readonly #tracked: TrackedProcess[] = [];
  readonly #endings: Ending[] = [];
  #started = false;

  constructor(admitted: Admitted, parts: CallRunParts) {
    this.callId = admitted.callId;
    this.at = admitted.at;
    this.standing = admitted.standing;
    if (admitted.approvalId !== undefined) this.approvalId = admitted.approvalId;
    this.seen = parts.session.seen;
    this.#admitted = admitted;
    this.#parts = parts;
  }

  /** The body has begun: `tool/started` is in the log. */
  get entered(): boolean {
    return this.#started;
  }

  get tracked(): readonly TrackedProcess[] {
    return this.#tracked;
  }

  output(stream: 'stdout' | 'stderr' | 'log', text: string): void {
    this.#parts.output(this.callId, stream, text);
  }

  recheck(): void {
    this.#admitted.call.controller.signal.throwIfAborted();
    if (!this.#admitted.current()) throw new Superseded();
  }

  async started(environmentId?: EnvironmentId): Promise<void> {
    const { call, effect, nested, approvalId } = this.#admitted;
    if (this.#started) throw new Error(`${this.callId} was started twice`);
    this.recheck();
    if (approvalId !== undefined && !this.#admitted.spend()) throw new Error(`Approval ${approvalId} was used before`);
    // From the commit on, a change cancels this call; between the two there is no await.
    this.#parts.session.journal.append({ type: 'tool/started', data: this.#startedData(environmentId) });
    this.#started = true;
    call.phase = 'running';
    if (!nested || effect === 'write') await this.#parts.session.journal.flush();
    call.controller.signal.throwIfAborted();
  }

  track(process: TrackedProcess): Tracking {
    const { signal } = this.#admitted.call.controller;
    const item = this.#item(process);
    const remove = this.#parts.started.add(this.#parts.session.id, item);
    let ending: Ending | undefined;
    const end = (cause: CleanupCause) => {
      if (ending) return;
      ending = this.#parts.cleanups.begin(this.#parts.session, item, cause, (onPhase) => process.close(onPhase));
      this.#endings.push(ending);
    };
    const cancel = () => end(cleanupCause(causeOf(signal)));
    this.#tracked.push(process);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    return {
      end,
      gone: () => {
        signal.removeEventListener('abort', cancel);
        remove();
      },
    };
  }

  /** Resolves with the errors of endings that failed, once every attempt that was begun is over. */
  async endingErrors(): Promise<readonly string[]> {
    const cleanups = await Promise.all(this.#endings.map((ending) => ending.settled()));
    return cleanups.flatMap(({ failed, pid }) => (failed ? [`process ${pid ?? '?'}: ${failed.error}`] : []));
  }

  #startedData(environmentId: EnvironmentId | undefined) {
    const { callId, tool, effect, at, approvalId } = this.#admitted;
    return {
      callId,
      tool,
      mode: at.policy.mode,
      effect,
      cwd: at.policy.workspace.path,
      roots: writableRoots(at.policy),
      ...(environmentId !== undefined && { environmentId }),
      ...(approvalId !== undefined && { approvalId }),
    };
  }

  #item({ title, process }: TrackedProcess): StartedItem {
    const { what, nested, callId, at, standing } = this.#admitted;
    return { what: nested ? 'nested' : what, id: callId, title, mode: at.policy.mode, standing, process };
  }
}

function cleanupCause(cause: Cancelled['why']): CleanupCause {
  switch (cause.kind) {
    case 'mode-changed':
      return { kind: 'mode', seq: cause.seq };
    case 'settings-changed':
      return { kind: 'settings', seq: cause.seq };
    case 'timeout':
      return { kind: 'limit' };
    case 'reset':
      return { kind: 'reset' };
    case 'shutdown':
      return { kind: 'shutdown' };
    case 'unload':
      return { kind: 'unload' };
    case 'stopped':
    case 'program-ended':
    case 'turn-ended':
    case 'policy-never':
      return { kind: 'stop' };
  }
}
