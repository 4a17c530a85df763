import type { Approvals } from '../approval/approvals.ts';
import type { Subject } from '../approval/events.ts';
import type { Verdict } from './admission.ts';
import { notAllowed, whileYielding } from './asking.ts';
import type { CallHooks, HookedCall } from './callHooks.ts';
import type { CallRequest } from './callRequest.ts';
import { boundCall } from './bound.ts';
import { Superseded } from './callRun.ts';
import type { ParsedCall } from './catalogue.ts';
import type { DispatchSession } from './dispatchSession.ts';
import type { Call } from './inFlight.ts';
import { refused, type Outcome } from './result.ts';

export interface HookStepParts {
  readonly session: DispatchSession;
  readonly approvals: Approvals;
  readonly hooks: CallHooks;
  readonly onFault: (fault: unknown) => void;
}

interface Judged {
  readonly call: Call;
  readonly parsed: ParsedCall;
  readonly verdict: Verdict;
}

/** A call that no hook stands in the way of. */
export interface Unhindered {
  readonly lines: readonly string[];
  /** What a person was shown, where a hook had one asked. */
  readonly approved?: Subject;
  /** Uses that person's answer up, right before the start; false when that cannot be. */
  spend(): boolean;
}

/**
 * Step 7 of a call: what a person's hooks say of it. A verdict that the policy has overtaken meanwhile is taken again, and
 * then the hooks run again, under the new Mode: what they said was said of a call under the old one.
 */
export class HookStep {
  readonly #parts: HookStepParts;
  readonly #request: CallRequest;
  readonly #judged: Judged;

  constructor(parts: HookStepParts, request: CallRequest, judged: Judged) {
    this.#parts = parts;
    this.#request = request;
    this.#judged = judged;
  }

  async before(): Promise<Unhindered | Outcome> {
    const { signal } = this.#judged.call.controller;
    const said = await this.#parts.hooks.before(this.#hooked(), signal);
    this.#recheck();
    switch (said.kind) {
      case 'unknown':
        return refused('unavailable', `Nothing ran, since nobody knows what the hooks say of it: ${said.message}`);
      case 'denied':
        return withLines(refused('hook-denied', `Denied by a hook: ${said.reason}\nNothing ran.`), said.lines);
      case 'ask':
        return await this.#ask(said.reason, said.lines);
      case 'passed':
        return { lines: said.lines, spend: () => true };
    }
  }

  /** What hooks say of a call that has run is for the model; what the call did stays as it is, whatever they do. */
  async after(outcome: Outcome, before: readonly string[], run: { readonly entered: boolean }): Promise<Outcome> {
    return withLines(outcome, [...before, ...(run.entered ? await this.#after(outcome) : [])]);
  }

  async #after(outcome: Outcome): Promise<readonly string[]> {
    const { signal } = this.#judged.call.controller;
    if (signal.aborted) return [];
    try {
      return await this.#parts.hooks.after(this.#hooked(), outcome, signal);
    } catch (fault) {
      this.#parts.onFault(fault);
      return [];
    }
  }

  async #ask(reason: string, lines: readonly string[]): Promise<Unhindered | Outcome> {
    const { call, parsed, verdict } = this.#judged;
    const { session, approvals } = this.#parts;
    const { signal } = call.controller;
    const shown = await parsed.tool.subject(parsed.input, verdict.at, signal);
    this.#recheck();
    // From here on a change is about exactly this question: it cancels the call instead of judging it anew.
    call.phase = 'asking';
    const { callId, nested } = this.#request;
    const subject = { ...shown, ...(nested && { program: { callId: nested.rootCallId, code: nested.code } }) };
    const { mode } = verdict.at.policy;
    // A call that was allowed more is asked about as that: the answer is to what will run.
    const wider = mode === verdict.standing ? {} : { to: mode };
    const bound = boundCall(this.#request, verdict.at, { subject: shown, ...wider });
    const scope = { kind: 'once', from: verdict.standing, ...wider } as const;
    // The rule is ours alone: a hook may come with the workspace, and what it says is somebody's claim.
    const said = { rule: RULE, justification: `A hook says: ${reason}` };
    const question = { ...bound, session, callId, subject, ...said, scope };
    const answer = await whileYielding(this.#request, () => approvals.ask(question, signal), signal);
    if ('status' in answer) return answer;
    if (answer.kind !== 'allowed-once') return withLines(notAllowed(answer, signal), lines);
    return { lines, approved: shown, spend: () => approvals.spend(answer.approvalId, bound) };
  }

  #hooked(): HookedCall {
    const { callId, input } = this.#request;
    return { callId, tool: this.#judged.parsed.tool.name, input };
  }

  #recheck(): void {
    const { call, verdict } = this.#judged;
    call.controller.signal.throwIfAborted();
    if (!verdict.current()) throw new Superseded();
  }
}

const RULE = 'A hook asks about this call.';

function withLines(outcome: Outcome, lines: readonly string[]): Outcome {
  return lines.length === 0 ? outcome : { ...outcome, content: [outcome.content, ...lines].join('\n') };
}
