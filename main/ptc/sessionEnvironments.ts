import { orAborted } from '../../app/base/cancel.ts';
import type { CleanupCause } from '../../app/cleanup/cleanup.ts';
import { observeChanges, type Change } from '../../app/policy/change.ts';
import type { PolicyPair } from '../../app/policy/fold.ts';
import type { EnvironmentEnd } from '../../app/ptc/events.ts';
import type {
  CleanupFailed,
  Environment,
  EnvironmentRequest,
  EnvironmentRow,
  EnvironmentSession,
  KeyConflict,
  PreparedProgram,
  Released,
  SessionEnvironments,
} from '../../app/ptc/nodeProvider.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { protectionOf, unprotected } from '../sandbox/protection.ts';
import type { NodeEnvironment } from './environment.ts';
import { keyOf } from './key.ts';
import type { NormalisedProgram } from './normalise.ts';
import { settle } from './settle.ts';
import { Spare } from './spare.ts';
import type { MayHaveSpare } from './spareHolder.ts';

export interface SessionParts {
  readonly session: EnvironmentSession;
  readonly fallback: PolicyPair;
  /** Starts a kernel; it is listed before the kernel answers, so that a change of policy finds it. */
  readonly start: (
    request: EnvironmentRequest,
    starting: Starting,
    signal: AbortSignal,
  ) => Promise<NodeEnvironment | Unavailable>;
  readonly mayHaveSpare: (spare: MayHaveSpare) => boolean;
  readonly prepared: (program: PreparedProgram) => NormalisedProgram;
  readonly detached: () => void;
}

export interface Starting {
  readonly spare: boolean;
  readonly add: (environment: NodeEnvironment) => void;
}

/** The Environments of one Session. Its observer invalidates them at the commit of a changed Mode or changed settings. */
export class SessionNodeEnvironments implements SessionEnvironments {
  readonly #parts: SessionParts;
  readonly #live = new Set<NodeEnvironment>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #spare: Spare;
  #changesBeforeSpare = 0;
  readonly #lost = new Map<string, EnvironmentEnd>();
  readonly #unobserve: () => void;
  /** Changes so far: what was resolved before the latest may not start any more. */
  #changes = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    const { session, fallback } = parts;
    this.#parts = parts;
    this.#spare = new Spare({
      start: (request, add) => this.#startSpare(request, add),
      mayHave: (spare) => !this.#closing && parts.mayHaveSpare(spare),
    });
    const changed = ({ kind, seq }: Change) =>
      this.#invalidate(kind, { kind: kind === 'mode-changed' ? 'mode' : 'settings', seq });
    const unobserve = [observeChanges(session, changed, fallback), this.#observeCalls()];
    this.#unobserve = () => unobserve.forEach((each) => each());
  }

  async settled(signal: AbortSignal): Promise<CleanupFailed | undefined> {
    signal.throwIfAborted();
    while (this.#starting.size > 0) await orAborted(Promise.allSettled(this.#starting), signal);
    if (this.#changesBeforeSpare !== this.#changes) await orAborted(this.#spare.started, signal);
    for (const environment of this.#live) {
      if (!environment.reason) continue;
      const failure = await orAborted(settle(environment), signal);
      if (failure) return failure;
    }
    return undefined;
  }

  async acquire(
    request: EnvironmentRequest,
    signal: AbortSignal,
  ): Promise<Environment | KeyConflict | CleanupFailed | Unavailable> {
    if (this.#closing) throw new Error('The Node provider is closed');
    const changes = this.#changes;
    this.#endUnprotected();
    const failure = await this.settled(signal);
    if (failure) return failure;
    if (changes !== this.#changes) return STALE;
    const retained = this.#retainedBy(request.owner);
    if (retained) return this.#again(retained, request);
    const spare = await this.#tracked(this.#spare.takeFor(request, signal));
    const started = spare ?? (await this.#startAnew(request, changes, signal));
    // Invalidated while it started: it is being ended, and the caller resolves the policy again.
    if (changes !== this.#changes) return STALE;
    return 'kind' in started ? started : this.#lend(started);
  }

  list(): readonly EnvironmentRow[] {
    return [...this.#live].filter(({ isSpare }) => !isSpare).map((environment) => environment.row());
  }

  async reset(): Promise<void> {
    const retained = [...this.#live].filter(({ request }) => request.owner !== undefined);
    await Promise.all(retained.map((environment) => environment.release('reset', { kind: 'reset' })));
  }

  close(): Promise<void> {
    return this.end({ kind: 'shutdown' });
  }

  /** Ends everything; `unload` and `shutdown` differ in what the Cleanups say. */
  end(cause: CleanupCause): Promise<void> {
    this.#closing ??= this.#close(cause);
    return this.#closing;
  }

  /** A program that runs is aborted by it; an idle process is only released. */
  #endAll(cause: CleanupCause): void {
    for (const environment of this.#live) environment.end(environment.row().idle ? 'released' : 'abort', cause);
  }

  async #close(cause: CleanupCause): Promise<void> {
    this.#unobserve();
    this.#parts.detached();
    this.#changes += 1;
    this.#endAll(cause);
    await Promise.allSettled([...this.#starting, this.#spare.started]);
    this.#endAll(cause);
    await Promise.all(Array.from(this.#live, settle));
  }

  #invalidate(reason: EnvironmentEnd, cause: CleanupCause): void {
    this.#changes += 1;
    for (const environment of this.#live) environment.end(reason, cause);
  }

  /** A call may have made what is to be protected, such as a git folder. */
  #observeCalls(): () => void {
    const { journal } = this.#parts.session;
    return journal.observe(({ type }) => {
      if (type === 'tool/result') journal.followUp(() => this.#endUnprotected());
    });
  }

  /** What a retained process may write was settled when it started: one that may write a protected entry ends. */
  #endUnprotected(): void {
    for (const environment of this.#live) {
      const { request, isSpare, reason } = environment;
      const { process } = environment.parts;
      if ((request.owner === undefined && !isSpare) || reason || !environment.row().idle) continue;
      if (unprotected(process.protection, protectionOf(request.policy)).length === 0) continue;
      environment.end('protected-entry', { kind: 'settings' });
    }
  }

  #retainedBy(owner: string | undefined): NodeEnvironment | undefined {
    if (owner === undefined) return undefined;
    return [...this.#live].find((environment) => environment.request.owner === owner && !environment.reason);
  }

  #again(retained: NodeEnvironment, request: EnvironmentRequest): Environment | KeyConflict {
    if (keyOf(retained.request.policy) === keyOf(request.policy)) return this.#lend(retained);
    const message = `The retained Environment of ${request.owner} was started under another policy; release it first`;
    return { kind: 'key-conflict', message };
  }

  async #startAnew(request: EnvironmentRequest, changes: number, signal: AbortSignal) {
    if (changes !== this.#changes) return STALE;
    const add = (environment: NodeEnvironment) => this.#add(environment, changes);
    return this.#tracked(this.#parts.start(request, { spare: false, add }, signal));
  }

  /** A call waits for it only where it needs it, or where an older policy started it. */
  async #startSpare(request: EnvironmentRequest, added: (environment: NodeEnvironment) => void): Promise<void> {
    const changes = this.#changes;
    this.#changesBeforeSpare = changes;
    const add = (environment: NodeEnvironment) => {
      added(environment);
      this.#add(environment, changes);
    };
    await this.#parts.start(request, { spare: true, add }, new AbortController().signal);
  }

  async #tracked<T>(starting: Promise<T>): Promise<T> {
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  #add(environment: NodeEnvironment, changesAtStart: number): void {
    this.#live.add(environment);
    void environment.gone.then(() => this.#live.delete(environment));
    void environment.gone.then(() => this.#remember(environment));
    if (this.#closing) environment.end('released', { kind: 'unload' });
    else if (this.#changes !== changesAtStart) environment.end('mode-changed', { kind: 'mode' });
  }

  /** The next program of this owner is told why its variables are gone. */
  #remember({ request, reason, hasRun }: NodeEnvironment): void {
    const { owner } = request;
    if (owner !== undefined && hasRun && reason) this.#lost.set(owner, reason);
  }

  #lend(environment: NodeEnvironment): Environment {
    const { id, process } = environment.parts;
    const { request } = environment;
    const { policy, standing, owner } = request;
    const lost = owner === undefined ? undefined : this.#lost.get(owner);
    if (owner !== undefined) this.#lost.delete(owner);
    const cause: CleanupCause = { kind: policy.mode === standing ? 'stop' : 'escalation' };
    return {
      kind: 'environment',
      id,
      process: process.identity,
      mode: policy.mode,
      enforcement: process.enforcement,
      retained: owner !== undefined,
      ...(lost && { lost: { reason: lost } }),
      run: (program, bridge, signal) => environment.run(this.#parts.prepared(program), bridge, signal),
      release: () => this.#release(environment, cause),
    };
  }

  async #release(environment: NodeEnvironment, cause: CleanupCause): Promise<Released> {
    const changes = this.#changes;
    const { request } = environment;
    const released = await environment.release('released', cause);
    if (request.owner === undefined && changes === this.#changes) this.#spare.prewarm(request);
    return released;
  }
}

const STALE: KeyConflict = {
  kind: 'key-conflict',
  message: 'The policy changed while the Environment was started; resolve it again',
};
