import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
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
import type { SessionEvent } from './events.ts';

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
  | 'receipt';

export interface Verification {
  readonly ok: boolean;
  /** Events that were checked. */
  readonly checked: number;
  readonly problems: readonly Problem[];
}

interface Call {
  mode?: Mode;
  approvalId?: ApprovalId;
}

/** Replays the meaning of a log, one event at a time (sessions.md, Verify). It keeps what is open, and every approval. */
export class Verifier {
  readonly #fallback: PolicyPair;
  readonly #problems: Problem[] = [];
  readonly #ledger = new ApprovalLedger();
  readonly #calls = new Map<CallId, Call>();
  readonly #environments = new Map<EnvironmentId, Mode>();
  #policy: PolicyState = NO_POLICY;
  #turn: number | undefined;
  #expected = 0;
  #checked = 0;

  /** `fallback` is the pair that was in force while the log said nothing. */
  constructor(fallback: PolicyPair = DEPLOYMENT_DEFAULT) {
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
        return;
      case 'turn/start':
      case 'turn/end':
        return this.#checkTurn(event);
      case 'approval/asked':
      case 'approval/decided':
        return this.#checkApproval(event);
      case 'environment/started':
        return void this.#environments.set(event.data.environmentId, event.data.mode);
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
    const complaints = event.type === 'approval/asked' ? this.#ledger.ask(event.data) : this.#ledger.decide(event.data);
    for (const message of complaints) this.#report(event.seq, 'approval', message);
  }

  #checkCall(event: SessionEvent): void {
    switch (event.type) {
      case 'tool/call':
      case 'tool/nested-start': {
        const { callId } = event.data;
        if (this.#calls.has(callId)) this.#report(event.seq, 'call', `Call ${callId} is made a second time`);
        this.#calls.set(callId, {});
        return;
      }
      case 'tool/started':
        return this.#checkStart(event);
      case 'tool/result':
      case 'tool/nested-result': {
        const { callId } = event.data;
        const call = this.#calls.get(callId);
        this.#calls.delete(callId);
        if (!call) return this.#report(event.seq, 'call', `Call ${callId} has a result and is not open`);
        return this.#checkResult(event.seq, event.data, call);
      }
      default:
    }
  }

  #checkStart({ seq, data }: SessionEvent & { type: 'tool/started' }): void {
    const { callId, mode, approvalId, environmentId } = data;
    const call = this.#calls.get(callId);
    if (!call) this.#report(seq, 'started', `Call ${callId} starts and is not open`);
    else if (call.mode !== undefined) this.#report(seq, 'started', `Call ${callId} starts a second time`);
    Object.assign(call ?? {}, { mode, ...(approvalId !== undefined && { approvalId }) });
    const environment = environmentId === undefined ? mode : this.#environments.get(environmentId);
    if (environment !== mode) {
      this.#report(
        seq,
        'mode',
        `Call ${callId} runs under ${mode} in an environment under ${environment ?? 'no mode'}`,
      );
    }
    if (approvalId !== undefined) {
      for (const why of this.#ledger.spend(approvalId, { callId, mode })) this.#report(seq, 'escalation', why);
      return;
    }
    const standing = effective(this.#policy, this.#fallback).mode;
    if (mode !== standing) {
      const rule = isWider(mode, standing) ? 'escalation' : 'mode';
      this.#report(seq, rule, `Call ${callId} starts under ${mode} without an approval; ${standing} is in force`);
    }
  }

  #checkResult(seq: number, result: Result, call: Call): void {
    const { callId, status, receipt } = result;
    if (call.mode === undefined && (status === 'ok' || status === 'failed' || receipt)) {
      this.#report(seq, 'started', `Call ${callId} is ${status} and was never started`);
    }
    if (receipt) {
      const complaints = this.#ledger.redeem(receipt, { callId, approvalId: call.approvalId });
      for (const why of complaints) this.#report(seq, 'receipt', why);
    } else if (status === 'ok' && call.approvalId !== undefined && this.#ledger.widens(call.approvalId)) {
      this.#report(seq, 'receipt', `Call ${callId} was allowed once and has no receipt`);
    }
  }

  #report(seq: number, rule: Rule, message: string): void {
    this.#problems.push({ seq, rule, message });
  }
}
