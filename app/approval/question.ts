import { causeOf } from '../base/cancel.ts';
import { deferred } from '../base/deferred.ts';
import type { ApprovalId, CallId, SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Journal } from '../log/journal.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { effective, foldPolicy, type PolicyPair, type PolicyState } from '../policy/fold.ts';
import type { ApprovalEvent, Scope, Subject } from './events.ts';
import { cancelled, reasonOf, type Decided } from './outcome.ts';

/** A Session as the approval room sees it. */
export interface ApprovalSession {
  readonly id: SessionId;
  readonly journal: Journal<ApprovalEvent | PolicyEvent>;
  policyState(): PolicyState;
  /** Root first, itself last. */
  lineage(): readonly Ancestor[];
  /** The value as the log takes it: lossless, long texts kept as blobs. */
  storable(value: unknown): Promise<Json>;
}

export interface Ancestor {
  readonly sessionId: SessionId;
  readonly title: string;
}

export interface ApprovalRequest {
  readonly session: ApprovalSession;
  readonly tool: string;
  readonly callId: CallId;
  readonly subject: Subject;
  /** What the answer is bound to, besides tool, Session and target Mode. */
  readonly input: Json;
  readonly cwd: string;
  /** Our sentence. */
  readonly rule: string;
  /** The agent's: untrusted text. */
  readonly justification?: string;
  readonly scope: Scope;
}

/** A question that waits for a person, as every door sees it (contract.md, approval.list). */
export interface PendingApproval {
  readonly approvalId: ApprovalId;
  readonly sessionId: SessionId;
  readonly lineage: readonly Ancestor[];
  readonly tool: string;
  readonly callId: CallId;
  readonly subject: Subject;
  readonly subjectDigest: string;
  readonly rule: string;
  readonly justification?: string;
  readonly scope: Scope;
  /** Epoch ms. */
  readonly asked: number;
}

interface Asked {
  readonly id: ApprovalId;
  readonly request: ApprovalRequest;
  readonly subjectDigest: string;
  readonly time: number;
}

/** One question: what ends it by itself, and how its end gets into the log. Who is first is decided by the queue. */
export class Question {
  readonly id: ApprovalId;
  readonly session: ApprovalSession;
  readonly subjectDigest: string;
  /** Everybody who asks for the list may see it: its event is on disk. */
  announced = false;
  readonly #asked: Asked;
  readonly #recorded = deferred<Decided>();
  readonly #undo: (() => void)[] = [];
  readonly #settled = new AbortController();

  constructor(asked: Asked) {
    this.#asked = asked;
    this.id = asked.id;
    this.session = asked.request.session;
    this.subjectDigest = asked.subjectDigest;
  }

  /** Resolves when the decision is in the log; whether it is on disk is the next question. */
  get recorded(): Promise<Decided> {
    return this.#recorded.promise;
  }

  /** Aborted as soon as it is settled. */
  get settled(): AbortSignal {
    return this.#settled.signal;
  }

  view(): PendingApproval {
    const { id, request, subjectDigest, time } = this.#asked;
    const { tool, callId, subject, rule, justification, scope } = request;
    return {
      approvalId: id,
      sessionId: this.session.id,
      lineage: this.session.lineage(),
      tool,
      callId,
      subject,
      subjectDigest,
      rule,
      ...(justification !== undefined && { justification }),
      scope,
      asked: time,
    };
  }

  /** Tells `end` when the call is aborted, or a committed policy event takes the ground from the question. */
  follow(fallback: PolicyPair, end: (decided: Decided) => void, signal: AbortSignal): void {
    const aborted = () => end(cancelled(reasonOf(causeOf(signal))));
    signal.addEventListener('abort', aborted, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', aborted));
    let state = this.session.policyState();
    const stop = this.session.journal.observe((event) => {
      const before = effective(state, fallback);
      state = foldPolicy(state, event);
      const now = effective(state, fallback);
      if (now.policy === 'never') end(cancelled('policy-never'));
      else if (now.mode !== before.mode) end(cancelled('mode-changed'));
    });
    this.#undo.push(stop);
  }

  /** Called with what else must be undone when it is settled. */
  whenSettled(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Called once, by the queue. The event is a follow-up, since abort listeners and observers may not append. */
  settle(decided: Decided): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#settled.abort();
    const { journal } = this.session;
    try {
      journal.followUp(() => this.#record(decided));
    } catch (fault) {
      this.#recorded.resolve(unrecorded(decided, fault));
    }
  }

  #record(decided: Decided): void {
    try {
      this.session.journal.append({ type: 'approval/decided', data: { id: this.id, ...recordOf(decided) } });
      this.#recorded.resolve(decided);
    } catch (fault) {
      this.#recorded.resolve(unrecorded(decided, fault));
    }
  }
}

/** The log no longer takes events: an end stays the end it is, but an unrecorded permission is none. */
function unrecorded(decided: Decided, fault: unknown): Decided {
  return decided.outcome === 'allowed-once' ? { outcome: 'unavailable', by: 'system', fault } : decided;
}

function recordOf(decided: Decided) {
  if (!('fault' in decided)) return decided;
  const { outcome, by } = decided;
  return { outcome, by };
}
