import type { Subject } from '../approval/events.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { ApprovalId } from '../base/id.ts';
import { judgeEscalation, type EscalationVerdict } from '../policy/escalation.ts';
import { effective, type PolicyPair } from '../policy/fold.ts';
import type { Mode } from '../sandbox/mode.ts';
import { notAllowed, whileYielding } from './asking.ts';
import { boundCall } from './bound.ts';
import { Superseded } from './callRun.ts';
import type { ParsedCall } from './catalogue.ts';
import type { CallRequest } from './callRequest.ts';
import type { DispatchSession } from './dispatchSession.ts';
import type { Call } from './inFlight.ts';
import type { Confinement } from './ports.ts';
import { refused, refusedAs, type Outcome } from './result.ts';
import type { CallPlan } from './tool.ts';

export interface AdmissionParts {
  readonly session: DispatchSession;
  readonly approvals: Approvals;
  /** The bare pair of the composition, as the Approvals have it. */
  readonly fallback?: PolicyPair;
}

/** What a call may do and under which policy, as of one moment. `current` says whether that moment still stands. */
export interface Verdict {
  readonly plan: CallPlan;
  readonly at: Confinement;
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  /** What a person was shown, where one was asked. */
  readonly approved?: Subject;
  /** Something a person or a model is told with the result. */
  readonly note?: string;
  current(): boolean;
  /** Uses the approval up, for this very call; false when that cannot be. */
  spend(): boolean;
}

type Ask = Extract<EscalationVerdict, { readonly kind: 'ask' }>;

/** Steps 2 and 3 of a call: policy, then a person where the call asks for more (ARCHITECTURE.md, How one tool call flows). */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #request: CallRequest;
  readonly #call: Call;
  readonly #changes: () => number;

  constructor(parts: AdmissionParts, request: CallRequest, at: { call: Call; changes: () => number }) {
    this.#parts = parts;
    this.#request = request;
    this.#call = at.call;
    this.#changes = at.changes;
  }

  /** Throws Superseded when the policy changed while it was being judged and nobody was asked yet. */
  async judge(parsed: ParsedCall): Promise<Verdict | Outcome> {
    const { signal } = this.#call.controller;
    const notReady = await parsed.tool.ready?.(signal);
    signal.throwIfAborted();
    if (notReady) return notReady;
    const taken = this.#changes();
    const current = () => this.#changes() === taken;
    const standing = this.#standing();
    const escalation = parsed.escalate && judgeEscalation({ standing: standing.mode, escalate: parsed.escalate });
    if (escalation?.kind === 'refused') return refused(escalation.code, escalation.content);
    const ask = escalation?.kind === 'ask' ? escalation : undefined;
    const base = await this.#plan(parsed, ask?.scope.to ?? standing.mode);
    if ('status' in base) return base;
    if (!current()) throw new Superseded();
    const note = escalation?.kind === 'standing' && { note: escalation.note };
    const verdict = { ...base, standing: standing.mode, current, spend: () => false, ...note };
    return ask ? await this.#ask(parsed, ask, verdict) : verdict;
  }

  #standing(): PolicyPair {
    return effective(this.#parts.session.policyState(), this.#parts.fallback);
  }

  async #plan({ tool, input }: ParsedCall, mode: Mode): Promise<{ plan: CallPlan; at: Confinement } | Outcome> {
    const { session } = this.#parts;
    const policy = await session.resolvePolicy(mode);
    if ('kind' in policy) return refusedAs(policy);
    const at = { sessionId: session.id, policy };
    const plan = await tool.plan(input, at, this.#call.controller.signal);
    // A path that leads nowhere is a failure to a body that looks for it; said beforehand, nothing has run.
    return plan.refusal ? { ...plan.refusal, status: 'refused' } : { plan, at };
  }

  async #ask(parsed: ParsedCall, ask: Ask, verdict: Verdict): Promise<Verdict | Outcome> {
    const { signal } = this.#call.controller;
    // Where nothing can be confined, there is no one-time exception from it to ask a person about.
    const fault = await this.#parts.session.confinementFault();
    if (fault) return refusedAs(fault);
    const subject = await parsed.tool.subject(parsed.input, verdict.at, signal);
    signal.throwIfAborted();
    if (!verdict.current()) throw new Superseded();
    // From here on a change is about exactly this question: it cancels the call instead of judging it anew.
    this.#call.phase = 'asking';
    const bound = boundCall(this.#request, verdict.at, { subject, to: ask.scope.to });
    const question = () => {
      const { callId, nested } = this.#request;
      const program = nested && { program: { callId: nested.rootCallId, code: nested.code } };
      const { rule, justification, scope } = ask;
      const { session, approvals } = this.#parts;
      const request = { ...bound, session, callId, subject: { ...subject, ...program }, rule, justification, scope };
      return approvals.ask(request, signal);
    };
    const answer = await whileYielding(this.#request, question, signal);
    if ('status' in answer) return answer;
    if (answer.kind !== 'allowed-once') return notAllowed(answer, signal);
    const { approvalId } = answer;
    return { ...verdict, approvalId, approved: subject, spend: () => this.#parts.approvals.spend(approvalId, bound) };
  }
}
