import type { CleanupId, EnvironmentId } from '../../app/base/id.ts';
import type { CleanupCause, StartedItem } from '../../app/cleanup/cleanup.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Ending } from '../../app/cleanup/ending.ts';
import type { Started } from '../../app/cleanup/started.ts';
import type { EnvironmentEnd } from '../../app/ptc/events.ts';
import type { EnvironmentRequest, EnvironmentSession } from '../../app/ptc/nodeProvider.ts';
import type { Exit } from '../../app/sandbox/provider.ts';
import type { ConfinedProcess } from '../sandbox/confined.ts';

export interface LifeParts {
  readonly id: EnvironmentId;
  readonly session: EnvironmentSession;
  readonly request: EnvironmentRequest;
  readonly process: ConfinedProcess;
  readonly cleanups: Cleanups;
  readonly started: Started;
  /** Nobody's yet: it is listed and ended like any other, and the log knows of it from the moment it is handed out. */
  readonly spare: boolean;
}

/** Why it ends. `cleanup` is there when the product ends it, `exit` when it went by itself. */
interface End {
  readonly reason: EnvironmentEnd;
  readonly exit?: Exit;
  cleanup: Ending | undefined;
}

/** The life of one Environment's process, as the log and the list of what runs tell it: one start, one end, one reason. */
export class EnvironmentLife {
  /** Resolves when nothing of it is alive and its end is recorded. */
  readonly gone: Promise<void>;
  readonly #parts: LifeParts;
  readonly #ended = Promise.withResolvers<End>();
  #unlist: () => void;
  #request: EnvironmentRequest;
  #isSpare: boolean;
  #end: End | undefined;

  constructor(parts: LifeParts) {
    this.#parts = parts;
    this.#request = parts.request;
    this.#isSpare = parts.spare;
    this.#unlist = parts.started.add(parts.session.id, this.#item());
    if (!parts.spare) this.#recordStart();
    this.gone = this.#watch();
  }

  get isSpare(): boolean {
    return this.#isSpare;
  }

  /** Who has it, and under which policy. */
  get request(): EnvironmentRequest {
    return this.#request;
  }

  /** A spare becomes somebody's, under the same policy: from now on it is told of. */
  handOut(request: EnvironmentRequest): void {
    this.#request = request;
    this.#isSpare = false;
    this.#unlist();
    this.#unlist = this.#parts.started.add(this.#parts.session.id, this.#item());
    this.#recordStart();
  }

  /** Set as soon as it is ending. */
  get reason(): EnvironmentEnd | undefined {
    return this.#end?.reason;
  }

  get cleanup(): Ending | undefined {
    return this.#end?.cleanup;
  }

  /** Begins ending it, at once; safe inside an observer. False when it is ending already: the first reason stays. */
  end(reason: EnvironmentEnd, cause: CleanupCause): boolean {
    if (this.#end) return false;
    const end: End = { reason, cleanup: undefined };
    this.#end = end;
    end.cleanup = this.#beginCleanup(cause);
    this.#ended.resolve(end);
    return true;
  }

  /** It ended by itself, which is no Cleanup; what it left behind is ended with it, and when that fails it is one. */
  exited(reason: EnvironmentEnd, exit: Exit): void {
    if (this.#end) return;
    const end: End = { reason, exit, cleanup: undefined };
    this.#end = end;
    void this.#parts.process.close().then((closed) => {
      if (!closed.ok) end.cleanup = this.#beginCleanup({ kind: 'limit' });
      this.#ended.resolve(end);
    });
  }

  /** How it went, once nothing of it is alive or ending it has failed. */
  async outcome(): Promise<{ readonly reason: EnvironmentEnd; readonly exit: Exit; readonly error?: string }> {
    const { reason, exit, cleanup } = await this.#ended.promise;
    const failed = (await cleanup?.settled())?.failed;
    if (failed) return { reason, exit: { exitCode: null, signal: null }, error: failed.error };
    return { reason, exit: exit ?? (await this.#parts.process.exited) };
  }

  async #watch(): Promise<void> {
    const exit = await this.#parts.process.closed;
    this.#unlist();
    const { reason, cleanup } = await this.#ended.promise;
    if (cleanup) await this.#released(cleanup);
    if (!this.#isSpare) this.#recordEnd(reason, exit, cleanup?.id);
  }

  /** Also where ending failed at first and a person, or the next program, tries again later. */
  #released(cleanup: Ending): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (cleanup.current().phase !== 'released') return;
      unobserve();
      resolve();
    };
    const unobserve = this.#parts.cleanups.observe(look);
    look();
    return promise;
  }

  #beginCleanup(cause: CleanupCause): Ending {
    const { cleanups, session, process } = this.#parts;
    return cleanups.begin(session, this.#item(), cause, (onPhase) => process.close(onPhase));
  }

  #recordStart(): void {
    const { id, process, session } = this.#parts;
    const { pid, startTime } = process.identity;
    const { owner, policy } = this.#request;
    const retained = owner !== undefined;
    const facts = {
      environmentId: id,
      pid,
      startTime,
      mode: policy.mode,
      retained,
      ...(retained && { owner }),
    };
    this.#record(() => void session.journal.append({ type: 'environment/started', data: facts }));
  }

  #recordEnd(reason: EnvironmentEnd, { exitCode, signal }: Exit, cleanupId: CleanupId | undefined): void {
    const { id, session } = this.#parts;
    const facts = { environmentId: id, reason, exitCode, signal, ...(cleanupId && { cleanupId }) };
    this.#record(() => void session.journal.append({ type: 'environment/ended', data: facts }));
  }

  /** A Session that is closed already takes no event; its processes are ended all the same. */
  #record(append: () => void): void {
    try {
      this.#parts.session.journal.followUp(append);
    } catch {
      // The journal is closed.
    }
  }

  #item(): StartedItem {
    const { id, process } = this.#parts;
    const { policy, standing } = this.#request;
    return {
      ...this.#kind(),
      id,
      mode: policy.mode,
      ...(standing !== policy.mode && { standing }),
      process: process.identity,
    };
  }
  #kind(): Pick<StartedItem, 'what' | 'title'> {
    if (this.#isSpare) return { what: 'environment', title: 'spare environment' };
    return this.#request.owner === undefined
      ? { what: 'program', title: 'one-time program' }
      : { what: 'environment', title: 'retained environment' };
  }
}
