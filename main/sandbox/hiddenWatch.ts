import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { hiddenOf, unprotected, type Protection } from './protection.ts';

/** A live sandbox with what was masked when it was launched. */
export interface Hiding {
  readonly policy: SandboxPolicy;
  readonly protection: Protection;
  /** Ends all of it, at once: it can read what is at this path now. */
  reveal(path: string): void;
}

const EVERY_MS = 1000;

/**
 * Looks whether a hidden path has appeared or was replaced while a sandbox runs, as long as there is one. The mask of a
 * launch cannot follow (see `hiddenOf`), so what runs is ended; in the time between it may have read it.
 */
export class HiddenWatch {
  readonly #everyMs: number;
  readonly #hiding = new Set<Hiding>();
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Until `gone` settles. */
  add(hiding: Hiding, gone: Promise<unknown>): void {
    if (hiding.policy.settings.hide.length === 0) return;
    this.#hiding.add(hiding);
    const forget = () => this.#forget(hiding);
    gone.then(forget, forget);
    this.#timer ??= setInterval(() => this.#lookAtAll(), this.#everyMs).unref();
  }

  get isIdle(): boolean {
    return this.#timer === undefined;
  }

  #forget(hiding: Hiding): void {
    this.#hiding.delete(hiding);
    if (this.#hiding.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #lookAtAll(): void {
    for (const hiding of this.#hiding) {
      const [path] = revealed(hiding);
      if (path !== undefined) hiding.reveal(path);
    }
  }
}

/** One that cannot be looked at is not ended for that. */
function revealed({ policy, protection }: Hiding): readonly string[] {
  try {
    return unprotected(protection, hiddenOf(policy));
  } catch {
    return []; // Out of descriptors, say: the next look may see it.
  }
}
