import { causeOf, type CancelCause } from '../base/cancel.ts';
import type { LeaseCall } from '../lease/lease.ts';
import { StorageError } from '../log/journal.ts';
import { Admission, type AdmissionParts, type Verdict } from './admission.ts';
import type { CallRequest } from './callRequest.ts';
import { CallRun, Superseded, type CallRunParts } from './callRun.ts';
import { isParsed, type Catalogue, type ParsedCall } from './catalogue.ts';
import { InFlightCalls, type Call } from './inFlight.ts';
import { cancelled, failed, refused, type Outcome, type Receipt, type Result } from './result.ts';

export interface DispatchParts extends CallRunParts, AdmissionParts {
  readonly catalogue: Catalogue;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Takes the calls of one Session from a name and raw arguments to a result, in the one order of the specification:
 * catalogue, policy, approval, lease, start, run, close. Forward only; a verdict that the policy has overtaken before
 * anything started is taken again.
 */
export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #inFlight: InFlightCalls;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#inFlight = new InFlightCalls(parts.session);
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
    const start = await session.storable({ callId, rootCallId, parentCallId, tool, input });
    session.journal.append({ type: 'tool/nested-start', data: start as never }); // `storable` keeps the shape.
    const result = await this.call(request, signal);
    const end = await session.storable({ ...result, rootCallId, parentCallId });
    session.journal.append({ type: 'tool/nested-result', data: end as never });
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

  async #admitted(
    request: CallRequest,
    admitted: { call: Call; parsed: ParsedCall; verdict: Verdict },
  ): Promise<Outcome> {
    const lease = await this.#lease(request, admitted);
    if (lease && lease.kind !== 'call') return refused(lease.code, lease.message);
    let outcome: Outcome;
    try {
      outcome = await this.#retained(request, { ...admitted, ...(lease && { lease }) });
    } catch (fault) {
      await lease?.close();
      throw fault;
    }
    const closed = await lease?.close();
    return closed?.error === undefined ? outcome : withCleanupErrors(outcome, [closed.error]);
  }

  /** Under `read-only` nothing is claimed, since nothing can be written (leases.md). */
  async #lease({ callId, lease }: CallRequest, { call, verdict }: { call: Call; verdict: Verdict }) {
    const { writes } = verdict.plan;
    if (writes === 'none' || verdict.at.policy.mode === 'read-only') return undefined;
    const who = { callId, holder: this.#parts.session.id };
    const what = writes === 'whole' ? ({ kind: 'whole' } as const) : ({ kind: 'paths', paths: writes } as const);
    return await lease.preparePaths({ ...who, ...what }, call.controller.signal);
  }

  async #retained(
    request: CallRequest,
    admitted: { call: Call; parsed: ParsedCall; verdict: Verdict; lease?: LeaseCall },
  ): Promise<Outcome> {
    const hold = await admitted.lease?.retain();
    if (hold?.kind === 'refused') return refused(hold.code, hold.message);
    if (hold?.kind === 'hold-ended') return refused('lease-lost', 'The run of this call has ended: its lease is gone.');
    try {
      return await this.#run(request, admitted);
    } finally {
      hold?.end();
    }
  }

  async #run(
    { callId, nested }: CallRequest,
    { call, parsed, verdict }: { call: Call; parsed: ParsedCall; verdict: Verdict },
  ): Promise<Outcome> {
    const { tool, input } = parsed;
    const { signal } = call.controller;
    const run = new CallRun(
      {
        callId,
        tool: tool.name,
        effect: tool.effect,
        what: tool.starts ?? 'command',
        nested: nested !== undefined,
        call,
        ...verdict,
      },
      this.#parts,
    );
    let outcome: Outcome;
    try {
      if (!tool.startsItself) await run.started();
      outcome = await tool.run(input, run, signal);
    } catch (fault) {
      if (fault instanceof Superseded && run.entered)
        throw new Error('A started call was superseded', { cause: fault });
      if (fault instanceof Superseded) throw fault;
      outcome = this.#faultOutcome(fault, signal);
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
    const standing = this.#parts.session.standing();
    return {
      receipt: { approvalId, ...ran.process, mode: at.policy.mode, exitCode, signal, releasedBeforeReturn, standing },
    };
  }

  #faultOutcome(fault: unknown, signal: AbortSignal): Outcome {
    if (signal.aborted) return cancelled(causeOf(signal), cancelText(causeOf(signal)));
    if (fault instanceof StorageError) {
      return refused('storage', `Nothing was run: the log could not be written (${fault.message}).`);
    }
    this.#parts.onFault(fault);
    return failed('exception', `The tool failed: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

function withCleanupErrors<O extends Outcome>(outcome: O, errors: readonly string[]): O & { cleanupError?: string } {
  return errors.length === 0 ? outcome : { ...outcome, cleanupError: errors.join('; ') };
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
