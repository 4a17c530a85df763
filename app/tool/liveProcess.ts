import { causeOf, type CancelCause } from '../base/cancel.ts';
import type { CleanupCause, StartedItem } from '../cleanup/cleanup.ts';
import type { Cleanups, CleanupSubject, Ending } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import { deferred } from '../base/deferred.ts';
import type { TrackedProcess, Tracking } from './tool.ts';

interface LiveProcessParts {
  readonly subject: CleanupSubject;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly item: StartedItem;
  readonly process: TrackedProcess;
}

/** A process that a body told of: listed until it is gone, and ended as a Cleanup when its call is cancelled. */
export class LiveProcess implements Tracking {
  readonly process: TrackedProcess;
  readonly #parts: LiveProcessParts;
  readonly #gone = deferred<void>();
  readonly #signal: AbortSignal;
  readonly #cancel = () => this.end(cleanupCause(causeOf(this.#signal)));
  readonly #unlist: () => void;
  #ending: Ending | undefined;
  #isGone = false;

  constructor(parts: LiveProcessParts, signal: AbortSignal) {
    this.process = parts.process;
    this.#parts = parts;
    this.#signal = signal;
    this.#unlist = parts.started.add(parts.subject.id, parts.item);
    signal.addEventListener('abort', this.#cancel, { once: true });
    if (signal.aborted) this.#cancel();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves when nothing of it lives: also long after its call, where ending it failed and is tried again. */
  get whenGone(): Promise<void> {
    return this.#gone.promise;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  end(cause: CleanupCause): void {
    if (this.#ending || this.#isGone) return;
    const { subject, cleanups, item, process } = this.#parts;
    const ending = cleanups.begin(subject, item, cause, (onPhase) => process.close(onPhase));
    this.#ending = ending;
    const leave = cleanups.observe(({ cleanupId, phase }) => {
      if (cleanupId !== ending.id || phase !== 'released') return;
      leave();
      this.#finish();
    });
  }

  gone(): void {
    // Once it is being ended, the ending knows better: it may have failed.
    if (!this.#ending) this.#finish();
  }

  #finish(): void {
    this.#isGone = true;
    this.#signal.removeEventListener('abort', this.#cancel);
    this.#unlist();
    this.#gone.resolve();
  }
}

function cleanupCause(cause: CancelCause): CleanupCause {
  switch (cause.kind) {
    case 'mode-changed':
      return { kind: 'mode', seq: cause.seq };
    case 'settings-changed':
      return { kind: 'settings', seq: cause.seq };
    case 'timeout':
      return { kind: 'limit' };
    case 'reset':
      return { kind: 'reset' };
    case 'shutdown':
      return { kind: 'shutdown' };
    case 'unload':
      return { kind: 'unload' };
    case 'stopped':
    case 'program-ended':
    case 'turn-ended':
    case 'agent-died':
    case 'policy-never':
      return { kind: 'stop' };
  }
}
