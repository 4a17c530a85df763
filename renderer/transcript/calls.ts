import type { CallId, CleanupId, EnvironmentId } from '../../app/base/id.ts';
import type { OpenCleanup } from '../../app/session/view/fold.ts';
import { JobBook } from './jobs.ts';
import type { Call, EventOf, Job, Phase, Standing } from './row.ts';

interface Draft {
  readonly callId: CallId;
  asked?: EventOf<'tool/call'> | EventOf<'tool/nested-start'>;
  started?: EventOf<'tool/started'>;
  result?: EventOf<'tool/result'> | EventOf<'tool/nested-result'>;
  question?: EventOf<'approval/asked'>;
  decision?: EventOf<'approval/decided'>;
  readonly nested: Draft[];
}

type CallEvent = EventOf<
  'tool/call' | 'tool/started' | 'tool/result' | 'tool/nested-start' | 'tool/nested-result' | 'approval/asked'
>;

/** The calls of a run of the log, whichever of their events are in it. */
export class CallBook {
  readonly #drafts = new Map<CallId, Draft>();
  readonly #questions = new Map<string, Draft>();
  readonly #environments = new Map<EnvironmentId, EventOf<'environment/started'>>();
  readonly #endings = new Map<CleanupId, EventOf<'cleanup/asked'>>();
  readonly jobs = new JobBook();
  /** What an ending was asked for: ids of calls, of Environments and of jobs. */
  readonly #ending = new Set<string>();
  #stopping: number | undefined;

  /** Returns the call that a card is due for: when this is the first that is heard of it. */
  hear(event: CallEvent): CallId | undefined {
    const { callId } = event.data;
    const known = this.#drafts.get(callId);
    const draft = known ?? { callId, nested: [] };
    put(draft, event);
    if (event.type === 'approval/asked') this.#questions.set(event.data.id, draft);
    if (known) return undefined;
    // A question about a call that is not here makes no card: its own row says it all.
    if (event.type === 'approval/asked') return undefined;
    this.#drafts.set(callId, draft);
    const root = rootOf(event);
    return root === undefined ? callId : this.#nest(draft, root);
  }

  decide(event: EventOf<'approval/decided'>): void {
    const draft = this.#questions.get(event.data.id);
    if (draft) draft.decision = event;
  }

  startEnvironment(event: EventOf<'environment/started'>): void {
    this.#environments.set(event.data.environmentId, event);
  }

  environment(id: EnvironmentId | undefined): EventOf<'environment/started'> | undefined {
    return id === undefined ? undefined : this.#environments.get(id);
  }

  askCleanup(event: EventOf<'cleanup/asked'>): void {
    // A hook has its call's id: that is not ended with it.
    if (event.data.what !== 'hook') this.#ending.add(event.data.id);
    this.#endings.set(event.data.cleanupId, event);
  }

  cleanup(id: CleanupId | undefined): EventOf<'cleanup/asked'> | undefined {
    return id === undefined ? undefined : this.#endings.get(id);
  }

  asked(id: string): Draft['asked'] {
    return this.#drafts.get(id as CallId)?.asked; // Of an id that is none of a call there is nothing.
  }

  stop(turn: number): void {
    this.#stopping = turn;
  }

  question(id: string): EventOf<'approval/asked'> | undefined {
    return this.#questions.get(id)?.question;
  }

  call(callId: CallId, standing: Standing): Call {
    const draft = this.#drafts.get(callId) ?? { callId, nested: [] };
    return this.#finish(draft, standing, turnOf(draft));
  }

  #nest(draft: Draft, rootId: CallId): CallId | undefined {
    const known = this.#drafts.get(rootId);
    const root = known ?? { callId: rootId, nested: [] };
    root.nested.push(draft);
    this.#drafts.set(rootId, root);
    return known ? undefined : rootId;
  }

  #finish(draft: Draft, standing: Standing, turn: number | undefined): Call {
    const { callId, asked, started, result, question, decision, nested } = draft;
    const environment = this.environment(started?.data.environmentId);
    const phase = this.#phase(draft, standing, turn);
    const cleanup = phase === 'waits-for-cleanup' ? standing.cleanups.find(isWaitedFor) : undefined;
    const job = this.#job(draft, standing);
    return {
      callId,
      phase,
      ...(asked && { asked }),
      ...(started && { started }),
      ...(result && { result }),
      ...(environment && { environment }),
      ...(question && { question }),
      ...(decision && { decision }),
      ...(cleanup && { cleanup }),
      ...(job && { job }),
      nested: nested.map((inner) => this.#finish(inner, standing, turn)),
    };
  }

  #phase(draft: Draft, standing: Standing, turn: number | undefined): Phase {
    const { callId, asked, started, result, question, decision, nested } = draft;
    if (result) return 'ended';
    if (standing.end < standing.length) return 'not-loaded';
    if (standing.turn === undefined || (turn ?? standing.turn) !== standing.turn) return 'left';
    if (this.#stopping === standing.turn || this.#isEnding(callId, started)) return 'cancelling';
    // What calls something has started, even if that is older than what is here.
    if (started || nested.length > 0) return 'running';
    if (question && !decision) return 'waits-for-approval';
    return asked?.data.tool === 'run_code' && standing.cleanups.some(isWaitedFor) ? 'waits-for-cleanup' : 'proposed';
  }

  #job({ callId, asked }: Draft, standing: Standing): Job | undefined {
    const jobId = this.jobs.of(callId, asked?.data.input);
    return jobId && this.jobs.job(jobId, standing, this.#ending.has(jobId));
  }

  #isEnding(callId: CallId, started: Draft['started']): boolean {
    const { environmentId } = started?.data ?? {};
    return this.#ending.has(callId) || (environmentId !== undefined && this.#ending.has(environmentId));
  }
}

/** A program waits for its own kind alone (ptc.md, A mode change). */
function isWaitedFor({ what }: OpenCleanup): boolean {
  return what === 'environment' || what === 'program';
}

function put(draft: Draft, event: CallEvent): void {
  switch (event.type) {
    case 'tool/call':
    case 'tool/nested-start':
      draft.asked = event;
      break;
    case 'tool/started':
      draft.started = event;
      break;
    case 'tool/result':
    case 'tool/nested-result':
      draft.result = event;
      break;
    case 'approval/asked':
      draft.question = event;
      break;
  }
}

/** The program whose call it is. A start alone says so only in its id (contract.md, Conventions). */
function rootOf(event: CallEvent): CallId | undefined {
  if (event.type === 'tool/nested-start' || event.type === 'tool/nested-result') return event.data.rootCallId;
  if (event.type !== 'tool/started') return undefined;
  const root = /^(.+):\d+$/.exec(event.data.callId)?.[1];
  return root as CallId | undefined; // Part of a call's id up to its last number is the id of the call that made it.
}

function turnOf({ asked }: Draft): number | undefined {
  return asked?.type === 'tool/call' ? asked.data.turn : undefined;
}
