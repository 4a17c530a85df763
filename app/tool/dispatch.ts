import { causeOf, type CancelCause } from '../base/cancel.ts';
import { messageOf } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { LeaseCall } from '../lease/lease.ts';
import { StorageError } from '../log/journal.ts';
import { Admission, type AdmissionParts, type Verdict } from './admission.ts';
import { NO_HOOKS, type CallHooks } from './callHooks.ts';
import type { CallRequest } from './callRequest.ts';
import { CallRun, Superseded, type CallRunParts } from './callRun.ts';
import { isParsed, type Catalogue, type ParsedCall } from './catalogue.ts';
import { errorsOf, withCleanupErrors } from './cleanupErrors.ts';
import { HookStep, type Unhindered } from './hookStep.ts';
import { InFlightCalls, type Call } from './inFlight.ts';
import { leaseLost } from './leaseLost.ts';
import { cancelled, failed, refused, type Outcome, type Receipt, type Result } from './result.ts';
import { storableResult } from './storableResult.ts';

export interface DispatchParts extends CallRunParts, AdmissionParts {
  readonly catalogue: Catalogue;
  /** None unless said otherwise. */
  readonly hooks?: CallHooks;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Takes the calls of one Session from a name and raw arguments to a result, in the one order of the specification:
 * catalogue, policy, approval, lease, hooks, start, run, close. Forward only; a verdict that the policy has overtaken before
 * anything started is taken again.
 */
export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #inFlight: InFlightCalls;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#inFlight = new InFlightCalls(parts.session, parts.fallback);
  }

  /** Never rejects for what a call did: every call has a result. Rejects when the log can take none. */
  async call(request: CallRequest, signal: AbortSignal): Promise<Result> {
    const { call, leave } = this.#inFlight.enter(signal);
    try {
      return { callId: request.callId, tool: request.tool, ...(await this.#outcome(request, call)) };
    } catch (fault) {
      return { callId: request.callId, tool: request.tool, ...this.#faultOutcome(fault, call.controller.signal) };
    } finally {
      leave();
    }
  }

  /** A program's call: the same road, with its own start and result in the log. */
  async nested(request: CallRequest & Required<Pick<CallRequest, 'nested'>>, signal: AbortSignal): Promise<Result> {
    const { session } = this.#parts;
    const { rootCallId, parentCallId } = request.nested;
    const { callId, tool, input } = request;
    let start: Json;
    try {
      start = await session.storable({ callId, rootCallId, parentCallId, tool, input });
    } catch (fault) {
      // Arguments that the log cannot take reject only this call (ptc.md, The bridge).
      return { callId, tool, ...refused('storage', `Nothing was run: it cannot be logged (${messageOf(fault)}).`) };
    }
    session.journal.append({ type: 'tool/nested-start', data: start as never }); // `storable` keeps the shape.
    const result = await this.call(request, signal);
    const end = await storableResult({ ...result, rootCallId, parentCallId }, session);
    session.journal.append({ type: 'tool/nested-result', data: end });
    return result;
  }

  close(): void {
    this.#inFlight.close();
  }

  async #outcome(request: CallRequest, call: Call): Promise<Outcome> {
    const parsed = this.#parts.catalogue.parse(request.tool, request.input);
    if (!isParsed(parsed)) return parsed;
    for (;;) {
      const admission = new Admission(this.#parts, request, { call, changes: () => this.#inFlight.changes });
      try {
        const verdict = await admission.judge(parsed);
        return 'status' in verdict ? verdict : await this.#admitted(request, { call, parsed, verdict });
      } catch (fault) {
        if (!(fault instanceof Superseded)) throw fault;
      }
    }
  }

  async #admitted(request: CallRequest, admitted: AdmittedCall): Promise<Outcome> {
    const lease = await this.#lease(request, admitted);
    if (lease && lease.kind !== 'call') return leaseLost(lease);
    let outcome: Outcome;
    try {
      outcome = await this.#retained(request, { ...admitted, ...(lease && { lease }) });
    } catch (fault) {
      const closed = await lease?.close();
      if (fault instanceof Superseded) throw fault;
      const { signal } = admitted.call.controller;
      return withCleanupErrors(this.#faultOutcome(fault, signal), errorsOf(closed));
    }
    return withCleanupErrors(outcome, errorsOf(await lease?.close()));
  }

  /** Under `read-only` nothing is claimed, since nothing can be written (leases.md). */
  async #lease({ callId, lease }: CallRequest, { call, verdict }: AdmittedCall) {
    const { writes } = verdict.plan;
    if (writes === 'none' || verdict.at.policy.mode === 'read-only') return undefined;
    const who = { callId, holder: this.#parts.session.id };
    const what = writes === 'whole' ? ({ kind: 'whole' } as const) : ({ kind: 'paths', paths: writes } as const);
    return await lease.preparePaths({ ...who, ...what }, call.controller.signal);
  }

  async #retained(request: CallRequest, admitted: AdmittedCall & { lease?: LeaseCall }): Promise<Outcome> {
    const { call, verdict, lease } = admitted;
    // What is retained stays so until the run ends: nothing is, for a verdict that was overtaken while the lease was awaited.
    call.controller.signal.throwIfAborted();
    if (!verdict.current()) throw new Superseded();
    const hold = await lease?.retain();
    if (hold && hold.kind !== 'hold') return leaseLost(hold);
    const hooks = new HookStep({ ...this.#parts, hooks: this.#parts.hooks ?? NO_HOOKS }, request, admitted);
    let run: CallRun | undefined;
    try {
      const passed = await hooks.before();
      if ('status' in passed) return passed;
      run = this.#callRun(request, admitted, passed);
      return await hooks.after(await this.#run(run, admitted), passed.lines, run);
    } finally {
      // A process that could not be ended may still write.
      if (run) run.whenGone(() => hold?.end());
      else hold?.end();
    }
  }

  #callRun({ callId, nested, lease }: CallRequest, admitted: AdmittedCall, passed: Unhindered): CallRun {
    const { call, parsed, verdict } = admitted;
    if (!passed.spend()) throw new Error(`The answer about ${callId} was used before`);
    const { name, effect, starts } = parsed.tool;
    const identity = {
      callId,
      tool: name,
      effect,
      what: starts ?? ('command' as const),
      nested: nested !== undefined,
      lease,
    };
    const approved = passed.approved && { approved: passed.approved };
    return new CallRun({ ...identity, call, ...verdict, ...approved }, this.#parts);
  }

  async #run(run: CallRun, { call, parsed: { tool, input }, verdict }: AdmittedCall): Promise<Outcome> {
    const { signal } = call.controller;
    let outcome: Outcome;
    try {
      if (!tool.startsItself) await run.started();
      outcome = await tool.run(input, run, signal);
    } catch (fault) {
      if (fault instanceof Superseded && !run.entered) throw fault;
      outcome = this.#faultOutcome(fault, signal, run);
    }
    const errors = await run.endingErrors();
    const content = verdict.note === undefined ? outcome.content : `${verdict.note}\n${outcome.content}`;
    return withCleanupErrors({ ...outcome, content, ...this.#receipt(run, outcome, errors) }, errors);
  }

  /** For commands; a tool that knows more of what it did gives its own. */
  #receipt(run: CallRun, { receipt, facts }: Outcome, errors: readonly string[]): { receipt?: Receipt } {
    const ran = run.tracked[0];
    if (receipt) return { receipt };
    if (run.approvalId === undefined || !ran || !facts) return {};
    const { exitCode, signal } = facts;
    const releasedBeforeReturn = errors.length === 0;
    const { approvalId, at } = run;
    const standing = run.standingEnvironment();
    return {
      receipt: { approvalId, ...ran.process, mode: at.policy.mode, exitCode, signal, releasedBeforeReturn, standing },
    };
  }

  /** `run` is there when the body may have begun. */
  #faultOutcome(fault: unknown, signal: AbortSignal, run?: CallRun): Outcome {
    if (signal.aborted) return cancelled(causeOf(signal), cancelText(causeOf(signal)));
    const isStorage = fault instanceof StorageError;
    const code = isStorage ? 'storage' : 'exception';
    if (!isStorage) this.#parts.onFault(fault);
    const why = isStorage ? `the log could not be written (${fault.message})` : messageOf(fault);
    return run?.entered ? failed(code, `The tool failed: ${why}`) : refused(code, `Nothing was run: ${why}`);
  }
}

/** One call on its way: what it asks for and what it may. */
interface AdmittedCall {
  readonly call: Call;
  readonly parsed: ParsedCall;
  readonly verdict: Verdict;
}

function cancelText({ kind }: CancelCause): string {
  switch (kind) {
    case 'mode-changed':
    case 'settings-changed':
      return 'Cancelled: the policy it ran under has changed.';
    case 'shutdown':
    case 'unload':
      return 'Cancelled: Gatehouse is closing.';
    default:
      return 'Cancelled.';
  }
}
