import type { Scope } from '../approval/events.ts';
import type { Asked } from './unlike.ts';
import type { ApprovalId, CallId } from '../base/id.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Receipt } from '../tool/result.ts';

interface Entry {
  readonly callId: CallId;
  readonly scope: Scope;
  readonly seq: number;
  /** The file that a person was shown. */
  readonly path?: string;
  outcome?: string;
  spentBy?: CallId;
  redeemedBy?: CallId;
}

/** Every approval of a log: asked once, decided once, spent once, proved once. Each method says what is wrong. */
export class ApprovalLedger {
  readonly #entries = new Map<ApprovalId, Entry>();

  ask({ id, callId, scope, subject }: Asked, seq: number): string[] {
    const again = this.#entries.has(id);
    this.#entries.set(id, { callId, scope, seq, ...(subject.kind === 'file' && { path: subject.path }) });
    return again ? [`Approval ${id} is asked a second time`] : [];
  }

  decide({ id, outcome }: { readonly id: ApprovalId; readonly outcome: string }): string[] {
    const entry = this.#entries.get(id);
    if (!entry) return [`Approval ${id} is decided and was never asked`];
    if (entry.outcome !== undefined) return [`Approval ${id} is decided a second time`];
    entry.outcome = outcome;
    return [];
  }

  /** One approval lets one call start once, under exactly the Mode that was asked for. */
  spend(
    id: ApprovalId,
    { callId, mode, standing }: { readonly callId: CallId; readonly mode: Mode; readonly standing: Mode },
  ): string[] {
    const entry = this.#entries.get(id);
    if (!entry) return [`Call ${callId} starts with ${id}, which was never asked`];
    const problems = [...allowed(entry)];
    if (entry.callId !== callId) problems.push(`was asked for call ${entry.callId}`);
    if (entry.spentBy !== undefined) problems.push(`call ${entry.spentBy} has used`);
    if (mode !== grantedBy(entry)) problems.push(`allows ${grantedBy(entry)}, under ${mode}`);
    if (entry.scope.from !== standing) problems.push(`was asked under ${entry.scope.from}; ${standing} is in force`);
    entry.spentBy ??= callId;
    return problems.map((why) => `Call ${callId} starts with ${id}, which ${why}`);
  }

  /** A receipt names the approval its call started with, under the Mode that was allowed. */
  redeem(
    { approvalId, mode, path }: Receipt,
    { callId, approvalId: spent }: { readonly callId: CallId; readonly approvalId: ApprovalId | undefined },
  ): string[] {
    const receipt = `The receipt of call ${callId}`;
    const entry = this.#entries.get(approvalId);
    if (!entry) return [`${receipt} names ${approvalId}, which was never asked`];
    const problems = allowed(entry).map((why) => `names ${approvalId}, which ${why}`);
    if (approvalId !== spent) problems.push(`names ${approvalId}; the call started with ${spent ?? 'none'}`);
    if (entry.redeemedBy !== undefined) problems.push(`names ${approvalId}, as does that of call ${entry.redeemedBy}`);
    if (path !== entry.path) problems.push(`names the file ${path ?? 'none'}; ${entry.path ?? 'none'} was shown`);
    if (mode !== grantedBy(entry)) problems.push(`says ${mode}; ${grantedBy(entry)} was allowed`);
    entry.redeemedBy ??= callId;
    return problems.map((why) => `${receipt} ${why}`);
  }

  /** Where it was asked in the log. */
  seqOf(id: ApprovalId): number {
    return this.#entries.get(id)?.seq ?? 0;
  }

  /** Whether it was asked in order to run under another Mode. */
  widens(id: ApprovalId): boolean {
    return this.#entries.get(id)?.scope.to !== undefined;
  }
}

function grantedBy({ scope }: Entry): Mode {
  return scope.to ?? scope.from;
}

function allowed({ outcome }: Entry): string[] {
  return outcome === 'allowed-once' ? [] : [`is ${outcome ?? 'not decided'}`];
}
