import { causeOf } from '../base/cancel.ts';
import { Emitter } from '../base/emitter.ts';
import type { ApprovalId, SessionId } from '../base/id.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyPair } from '../policy/fold.ts';
import { askAnswerers, type Answerer } from './answerer.ts';
import { digestOfCall, type BoundCall, type Digest } from './boundCall.ts';
import { decidedChange, type ApprovalChange } from './change.ts';
import type { Subject } from './events.ts';
import { History } from './history.ts';
import {
  cancelled,
  outcomeOf,
  reasonOf,
  unavailable,
  type ApprovalOutcome,
  type Decided,
  type DecideReply,
} from './outcome.ts';
import { Question, type ApprovalRequest, type ApprovalSession, type PendingApproval } from './question.ts';

export type { ApprovalChange } from './change.ts';
export type { PendingApproval } from './question.ts';

export interface ApprovalsOptions {
  readonly newId: () => ApprovalId;
  readonly digest: Digest;
  /** The bare pair of the composition. */
  readonly fallback?: PolicyPair;
  /** Only when a time limit is configured: calls `expired` when it is over; the returned function calls it off. */
  readonly timer?: (expired: () => void) => () => void;
  /** Hears of observers that threw. */
  readonly onFault: (fault: unknown) => void;
}

/** The questions that wait for a person, of all Sessions (policy.md, Approvals). Silence is never consent. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #pending = new Map<ApprovalId, Question>();
  readonly #history = new History();
  readonly #attending = new Set<symbol>();
  readonly #answerers = new Set<Answerer>();
  readonly #changes: Emitter<ApprovalChange>;
  readonly #asking = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#changes = new Emitter(options.onFault);
  }

  /** Asks, and resolves when the outcome is on disk. Only `allowed-once` grants; spend it right before the launch. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const asking = this.#ask(request, signal);
    this.#asking.add(asking);
    return asking.finally(() => this.#asking.delete(asking));
  }

  /**
   * The answer of a door. The first one wins, synchronously; the door's own reply waits for the Session's flush.
   * Undefined: unknown id.
   */
  decide(
    id: ApprovalId,
    decision: 'allow-once' | 'deny',
    from: { door: string; note?: string },
  ): DecideReply | undefined {
    const outcome = decision === 'allow-once' ? 'allowed-once' : 'rejected';
    const note = from.note?.trim() ? { note: from.note } : {};
    const settled = this.#settle(id, { outcome, by: 'person', door: from.door, ...note });
    const decided = this.#history.decided(id);
    return decided && { settled, by: decided.by, outcome: decided.outcome };
  }

  /** The Session whose log holds the answer to this question: what a door's reply has to flush. */
  sessionOf(id: ApprovalId): SessionId | undefined {
    return this.#pending.get(id)?.session.id ?? this.#history.sessionOf(id);
  }

  /** True exactly once for an approval that was granted, and only for the very call it was asked for. */
  spend(id: ApprovalId, call: BoundCall): boolean {
    return this.#history.spend(id, digestOfCall(call, this.#options.digest));
  }

  list(sessionId?: SessionId): readonly PendingApproval[] {
    return Array.from(this.#pending.values())
      .filter((question) => question.announced && (sessionId === undefined || question.session.id === sessionId))
      .map((question) => question.view());
  }

  /** Told when a question is on disk and waits, and when one that was told of is over. */
  observe(listener: (change: ApprovalChange) => void): () => void {
    return this.#changes.listen(listener);
  }

  /**
   * Somebody who can answer is connected, until the returned function is called. Attendance is judged when a question is
   * asked: one that waits already goes on waiting for the next who comes.
   */
  attend(): () => void {
    const presence = Symbol('answerer');
    this.#attending.add(presence);
    return () => void this.#attending.delete(presence);
  }

  /** A function that answers, asked in the order they were added, before any door is waited for. */
  addAnswerer(answerer: Answerer): () => void {
    this.#answerers.add(answerer);
    return () => void this.#answerers.delete(answerer);
  }

  /** Ends every question as cancelled by the shutdown; resolves when all their askers have been told. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const id of Array.from(this.#pending.keys())) this.#settle(id, cancelled('shutdown'));
    await Promise.allSettled(Array.from(this.#asking));
  }

  async #ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const approvalId = this.#options.newId();
    let logged: Subject;
    try {
      // Of the same shape: long texts have become Texts with a blob, which is what a Subject may hold in their place.
      logged = (await request.session.storable(request.subject)) as unknown as Subject;
    } catch (fault) {
      return { approvalId, kind: 'storage', fault };
    }
    const question = this.#record(approvalId, request, logged);
    this.#pending.set(approvalId, question);
    const answer = this.#withoutAsking(request.session, signal);
    if (answer) this.#settle(approvalId, answer);
    else {
      this.#follow(question, signal);
      this.#announce(question).catch((fault: unknown) => {
        this.#options.onFault(fault);
        this.#settle(approvalId, unavailable('answerer-failed'));
      });
    }
    return await this.#outcome(question);
  }

  #record(id: ApprovalId, request: ApprovalRequest, subject: Subject): Question {
    const { session, tool, callId, input, cwd, rule, justification, scope } = request;
    const to = scope.to && { to: scope.to };
    const subjectDigest = digestOfCall({ sessionId: session.id, tool, input, cwd, ...to }, this.#options.digest);
    const said = justification !== undefined && { justification };
    const event = session.journal.append({
      type: 'approval/asked',
      data: { id, tool, callId, subjectDigest, subject, rule, ...said, scope },
    });
    return new Question({ id, request, subjectDigest, time: event.time });
  }

  #withoutAsking(session: ApprovalSession, signal: AbortSignal): Decided | undefined {
    if (effective(session.policyState(), this.#fallback).policy === 'never')
      return { outcome: 'rejected', by: 'policy' };
    if (signal.aborted) return cancelled(reasonOf(causeOf(signal)));
    if (this.#closing) return cancelled('shutdown');
    if (this.#attending.size === 0 && this.#answerers.size === 0) return unavailable('no-answerer');
    return undefined;
  }

  #follow(question: Question, signal: AbortSignal): void {
    question.follow(this.#fallback, (decided) => this.#settle(question.id, decided), signal);
    const callOff = this.#options.timer?.(() => this.#settle(question.id, unavailable('timeout')));
    if (callOff) question.whenSettled(callOff);
  }

  /** Nobody is asked a question that is not on disk. */
  async #announce(question: Question): Promise<void> {
    try {
      await question.session.journal.flush();
    } catch (fault) {
      this.#settle(question.id, { outcome: 'unavailable', by: 'system', fault });
      return;
    }
    if (question.settled.aborted) return;
    const approval = question.view();
    question.announced = true;
    this.#changes.emit({ change: 'asked', approval });
    const answer = await askAnswerers(Array.from(this.#answerers), question);
    if (answer) this.#settle(question.id, answer);
    else if (this.#attending.size === 0) this.#settle(question.id, unavailable('no-answerer'));
  }

  /** Whoever removes a question from the pending ones has decided it; everybody else is late. */
  #settle(id: ApprovalId, decided: Decided): boolean {
    const question = this.#pending.get(id);
    if (!question) return false;
    this.#pending.delete(id);
    this.#history.add(id, { decided, sessionId: question.session.id, subjectDigest: question.subjectDigest });
    question.settle(decided);
    return true;
  }

  async #outcome(question: Question): Promise<ApprovalOutcome> {
    const decided = await question.recorded;
    let storage = 'fault' in decided ? { fault: decided.fault } : undefined;
    try {
      await question.session.journal.flush();
    } catch (fault) {
      // A refusal needs no disk; a permission that could be forgotten is none.
      if (decided.outcome === 'allowed-once') storage ??= { fault };
    }
    if (question.announced) this.#changes.emit(decidedChange(question.view(), decided));
    if (storage) return { approvalId: question.id, kind: 'storage', ...storage };
    if (decided.outcome === 'allowed-once') this.#history.grant(question.id);
    return outcomeOf(question.id, decided);
  }

  get #fallback(): PolicyPair {
    return this.#options.fallback ?? DEPLOYMENT_DEFAULT;
  }
}
