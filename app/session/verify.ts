import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import {
  DEPLOYMENT_DEFAULT,
  effective,
  foldPolicy,
  NO_POLICY,
  type PolicyPair,
  type PolicyState,
} from '../policy/fold.ts';
import { isWider, type Mode } from '../sandbox/mode.ts';
import type { Result } from '../tool/result.ts';
import { ApprovalLedger } from './approvalLedger.ts';
import { EnvironmentLedger } from './environmentLedger.ts';
import type { SessionEvent } from './events.ts';
import { JobLedger } from './jobLedger.ts';
import { unbound, unlike, type Asked, type LogOf } from './unlike.ts';

export interface Problem {
  readonly seq: number;
  readonly rule: Rule;
  readonly message: string;
}

export type Rule =
  /** Stored lines: a bad line, a gap, or a hash that does not follow from the line before. */
  | 'chain'
  | 'sequence'
  | 'turn'
  | 'call'
  | 'approval'
  /** Started wider than the Mode in force, without a question that was answered with yes, once. */
  | 'escalation'
  | 'mode'
  | 'started'
  /** A hook that ran for a call which was not there to be asked about. */
  | 'hook'
  | 'receipt'
  | 'job';

export interface Verification {
  readonly ok: boolean;
  /** Events that were checked. */
  readonly checked: number;
  readonly problems: readonly Problem[];
}

interface Call {
  readonly tool: string;
  readonly input: Json;
  /** The program that made it. */
  readonly root?: CallId;
  mode?: Mode;
  approvalId?: ApprovalId;
  environmentId?: EnvironmentId;
  beside?: ReturnType<EnvironmentLedger['standing']>;
}

/** Replays the meaning of a log, one event at a time (sessions.md, Verify). It keeps what is open, and every approval. */
export class Verifier {
  readonly #fallback: PolicyPair;
  readonly #problems: Problem[] = [];
  readonly #ledger = new ApprovalLedger();
  readonly #calls = new Map<CallId, Call>();
  readonly #environments = new EnvironmentLedger();
  readonly #jobs = new JobLedger();
  #policy: PolicyState = NO_POLICY;
  #turn: number | undefined;
  #expected = 0;
  #checked = 0;

  readonly #of: LogOf | undefined;

  /** Without `of` the digests are not checked; `fallback` is the pair that was in force while the log said nothing. */
  constructor(of?: LogOf, fallback: PolicyPair = DEPLOYMENT_DEFAULT) {
    this.#of = of;
    this.#fallback = fallback;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get checked(): number {
    return this.#checked;
  }

  feed(event: SessionEvent): void {
    this.#checked += 1;
    if (event.seq !== this.#expected) this.#report(event.seq, 'sequence', `Event ${this.#expected} should come here`);
    this.#expected = event.seq + 1;
    this.#policy = foldPolicy(this.#policy, event);
    switch (event.type) {
      case 'session/end-seed':
        this.#turn = undefined;
        this.#calls.clear();
        this.#jobs.forget();
        return;
      case 'turn/start':
      case 'turn/end':
        return this.#checkTurn(event);
      case 'approval/asked':
      case 'approval/decided':
        return this.#checkApproval(event);
      case 'hook/ran': {
        const { callId } = event.data;
        if (callId === undefined || this.#calls.has(callId)) return;
        return this.#report(event.seq, 'hook', `A hook ran for call ${callId}, which is not open`);
      }
      case 'environment/started':
        return this.#environments.start(event.data, event.seq);
      case 'environment/ended':
        return this.#environments.end(event.data);
      case 'job/started':
      case 'job/ended':
        return this.#checkJob(event);
      default:
        return this.#checkCall(event);
    }
  }

  #checkTurn(event: SessionEvent & { type: 'turn/start' | 'turn/end' }): void {
    const { turn } = event.data;
    if (event.type === 'turn/start') {
      if (this.#turn !== undefined) this.#report(event.seq, 'turn', `Turn ${turn} starts inside turn ${this.#turn}`);
      this.#turn = turn;
      return;
    }
    if (this.#turn !== turn) this.#report(event.seq, 'turn', `Turn ${turn} ends and is not open`);
    for (const callId of this.#calls.keys()) this.#report(event.seq, 'call', `Call ${callId} has no result`);
    this.#calls.clear();
    this.#turn = undefined;
  }

  #checkApproval(event: SessionEvent & { type: 'approval/asked' | 'approval/decided' }): void {
    const complaints =
      event.type === 'approval/asked' ? this.#ask(event.data, event.seq) : this.#ledger.decide(event.data);
    for (const message of complaints) this.#report(event.seq, 'approval', message);
  }

  #ask(asked: Asked, seq: number): readonly string[] {
    const call = this.#calls.get(asked.callId);
    // A fork keeps the questions of its parent, which are bound to that one.
    const of = this.#of && seq >= (this.#of.header.seedLength ?? 0) ? this.#of : undefined;
    return [...this.#ledger.ask(asked, seq), ...unlike(asked, call), ...unbound(asked, call, of)];
  }

  #checkJob(event: SessionEvent & { type: 'job/started' | 'job/ended' }): void {
    const complaints =
      event.type === 'job/started'
        ? this.#jobs.start(event.data, this.#calls.get(event.data.callId)?.mode !== undefined)
        : this.#jobs.end(event.data);
    for (const message of complaints) this.#report(event.seq, 'job', message);
  }

  #checkCall(event: SessionEvent): void {
    switch (event.type) {
      case 'tool/call':
      case 'tool/nested-start': {
        return this.#checkMade(event);
      }
      case 'tool/started':
        return this.#checkStart(event);
      case 'tool/result':
      case 'tool/nested-result': {
        const { callId } = event.data;
        const call = this.#calls.get(callId);
        if (!call) return this.#report(event.seq, 'call', `Call ${callId} has a result and is not open`);
        this.#checkPlace(event, call);
        this.#calls.delete(callId);
        return this.#checkResult(event.seq, event.data, call);
      }
      default:
    }
  }

  #checkMade({ seq, type, data }: SessionEvent & { type: 'tool/call' | 'tool/nested-start' }): void {
    const { callId, tool, input } = data;
    if (this.#calls.has(callId)) this.#report(seq, 'call', `Call ${callId} is made a second time`);
    this.#calls.set(callId, { tool, input, ...(type === 'tool/nested-start' && { root: data.rootCallId }) });
    if (type !== 'tool/nested-start' || this.#calls.get(data.rootCallId)?.mode !== undefined) return;
    this.#report(seq, 'call', `Call ${callId} is made by ${data.rootCallId}, which does not run`);
  }

  /** Results come in the order of the calls, and those of a program's calls before its own. */
  #checkPlace({ seq, data, type }: SessionEvent & { type: 'tool/result' | 'tool/nested-result' }, call: Call): void {
    const { callId, tool } = data;
    if (tool !== call.tool)
      this.#report(seq, 'call', `Call ${callId} is a call of ${call.tool}, its result of ${tool}`);
    for (const [other, { root }] of this.#calls) {
      if (root === callId) this.#report(seq, 'call', `Call ${callId} has a result before its call ${other} has one`);
    }
    if (type !== 'tool/result') return;
    for (const [earlier, { root }] of this.#calls) {
      if (earlier === callId) return;
      if (root === undefined) return this.#report(seq, 'call', `Call ${callId} has a result before call ${earlier}`);
    }
  }

  #checkStart({ seq, data }: SessionEvent & { type: 'tool/started' }): void {
    const { callId, mode, approvalId, environmentId } = data;
    const call = this.#calls.get(callId);
    if (!call) this.#report(seq, 'started', `Call ${callId} starts and is not open`);
    else if (call.mode !== undefined) this.#report(seq, 'started', `Call ${callId} starts a second time`);
    else if (call.tool !== data.tool)
      this.#report(seq, 'started', `Call ${callId} starts as ${data.tool}, not ${call.tool}`);
    Object.assign(call ?? {}, {
      mode,
      ...(approvalId !== undefined && { approvalId, beside: this.#environments.standing() }),
      ...(environmentId !== undefined && { environmentId }),
    });
    const environment = environmentId === undefined ? mode : this.#environments.modeOf(environmentId);
    if (environment !== mode) {
      this.#report(
        seq,
        'mode',
        `Call ${callId} runs under ${mode} in an environment under ${environment ?? 'no mode'}`,
      );
    }
    const standing = effective(this.#policy, this.#fallback).mode;
    if (approvalId !== undefined) {
      const problems = this.#ledger.spend(approvalId, { callId, mode, standing });
      for (const why of problems) this.#report(seq, 'escalation', why);
      if (environmentId !== undefined && this.#environments.isRetained(environmentId))
        this.#report(seq, 'escalation', `Call ${callId} was allowed once and runs in a retained environment`);
      return;
    }
    if (mode !== standing) {
      const rule = isWider(mode, standing) ? 'escalation' : 'mode';
      this.#report(seq, rule, `Call ${callId} starts under ${mode} without an approval; ${standing} is in force`);
    }
  }

  #checkResult(seq: number, result: Result, call: Call): void {
    const { callId, status, receipt, facts } = result;
    if (call.mode === undefined && (status === 'ok' || status === 'failed' || receipt)) {
      this.#report(seq, 'started', `Call ${callId} is ${status} and was never started`);
    }
    if (receipt) {
      const complaints = this.#ledger.redeem(receipt, { callId, approvalId: call.approvalId });
      for (const why of complaints) this.#report(seq, 'receipt', why);
      const asked = this.#ledger.seqOf(receipt.approvalId);
      const redeeming = { ran: call.environmentId, asked, beside: call.beside, status };
      for (const why of this.#environments.redeem(receipt, redeeming))
        this.#report(seq, 'receipt', `The receipt of call ${callId} ${why}`);
    } else if ((status === 'ok' || facts) && call.approvalId !== undefined && this.#ledger.widens(call.approvalId)) {
      this.#report(seq, 'receipt', `Call ${callId} was allowed once and has no receipt`);
    }
  }

  #report(seq: number, rule: Rule, message: string): void {
    this.#problems.push({ seq, rule, message });
  }
}
