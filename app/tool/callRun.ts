import type { Subject } from '../approval/events.ts';
import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
import type { StartedItem, What } from '../cleanup/cleanup.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import type { LeaseRun } from '../lease/lease.ts';
import type { Mode } from '../sandbox/mode.ts';
import { writableRoots } from '../sandbox/policy.ts';
import type { DispatchSession } from './dispatchSession.ts';
import type { Effect } from './events.ts';
import type { Call } from './inFlight.ts';
import { LiveProcess } from './liveProcess.ts';
import type { Confinement } from './ports.ts';
import type { Receipt } from './result.ts';
import type { CallPlan, OutputStream, ToolRun, TrackedProcess, Tracking } from './tool.ts';

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
  readonly approved?: Subject;
  readonly plan: CallPlan;
  readonly lease: LeaseRun;
  /** Whether the policy is still the one of the verdict. */
  readonly current: () => boolean;
  /** Uses the approval up; false when it was used before. */
  readonly spend: () => boolean;
}

export interface CallRunParts {
  readonly session: DispatchSession;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly output: (callId: CallId, stream: OutputStream, text: string) => void;
}

/** One admitted call: what its body may do, and what of it is being ended. */
export class CallRun implements ToolRun {
  readonly callId: CallId;
  readonly at: Confinement;
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  readonly approved?: Subject;
  readonly writes: CallPlan['writes'];
  readonly lease: LeaseRun;
  readonly seen: Map<string, string>;
  readonly #admitted: Admitted;
  readonly #parts: CallRunParts;
  readonly #live: LiveProcess[] = [];
  #started = false;
  #entered = false;

  constructor(admitted: Admitted, parts: CallRunParts) {
    this.callId = admitted.callId;
    this.at = admitted.at;
    this.standing = admitted.standing;
    if (admitted.approvalId !== undefined) this.approvalId = admitted.approvalId;
    if (admitted.approved) this.approved = admitted.approved;
    this.writes = admitted.plan.writes;
    this.lease = admitted.lease;
    this.seen = parts.session.seen;
    this.#admitted = admitted;
    this.#parts = parts;
  }

  /** The body may have begun: `tool/started` is on disk, or shares the flush of its program. */
  get entered(): boolean {
    return this.#entered;
  }

  get tracked(): readonly TrackedProcess[] {
    return this.#live.map(({ process }) => process);
  }

  output(stream: OutputStream, text: string): void {
    this.#parts.output(this.callId, stream, text);
  }

  standingEnvironment(): Receipt['standing'] {
    return this.#parts.session.standingEnvironment();
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
    this.#entered = true;
  }

  track(process: TrackedProcess): Tracking {
    const { session: subject, cleanups, started } = this.#parts;
    const parts = { subject, cleanups, started, item: this.#item(process), process };
    const live = new LiveProcess(parts, this.#admitted.call.controller.signal);
    this.#live.push(live);
    return live;
  }

  /**
   * Called when the body is over. Ends what the body left, and resolves with the errors of endings that failed, once every
   * attempt that was begun is over.
   */
  async endingErrors(): Promise<readonly string[]> {
    for (const live of this.#live) live.end({ kind: 'stop' });
    const endings = this.#live.flatMap(({ ending }) => ending ?? []);
    const cleanups = await Promise.all(endings.map((ending) => ending.settled()));
    return cleanups.flatMap(({ failed, pid }) => (failed ? [`process ${pid ?? '?'}: ${failed.error}`] : []));
  }

  /** Calls `then` when nothing that the body started lives: at once, or when a failed ending was tried again. */
  whenGone(then: () => void): void {
    if (this.#live.every((live) => live.isGone)) then();
    else void Promise.all(this.#live.map((live) => live.whenGone)).then(then);
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
