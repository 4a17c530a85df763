import { orAborted } from '../../app/base/cancel.ts';
import type { CleanupFailed, EnvironmentRequest } from '../../app/ptc/nodeProvider.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { protectionOf, unprotected } from '../sandbox/protection.ts';
import type { NodeEnvironment } from './environment.ts';
import { keyOf } from './key.ts';
import { settle } from './settle.ts';
import type { MayHaveSpare } from './spareHolder.ts';

export interface SpareParts {
  /** Starts one; `add` lists it among the Session's, so that whatever ends those ends it too. */
  readonly start: (request: EnvironmentRequest, add: (environment: NodeEnvironment) => void) => Promise<unknown>;
  readonly mayHave: (spare: MayHaveSpare) => boolean;
}

/**
 * An Environment that runs nothing until a call needs a new one under exactly its policy (ptc.md, Kernel and channel). The
 * log knows of it from that moment.
 */
export class Spare implements MayHaveSpare {
  readonly #parts: SpareParts;
  #environment: NodeEnvironment | undefined;
  #starting: Promise<unknown> | undefined;

  constructor(parts: SpareParts) {
    this.#parts = parts;
  }

  get hasSpare(): boolean {
    return this.#starting !== undefined || this.#waiting !== undefined;
  }

  /** Resolves when none is being started; it never rejects. */
  get started(): Promise<unknown> {
    return this.#starting ?? Promise.resolve();
  }

  dropSpare(): void {
    this.#waiting?.end('released', { kind: 'idle' });
  }

  /** After a temporary call the next one is likely to be temporary too, under the same policy. An escalated one says nothing. */
  prewarm({ policy, standing }: EnvironmentRequest): void {
    if (policy.mode !== standing || this.hasSpare || !this.#parts.mayHave(this)) return;
    this.#starting = this.#parts
      .start({ policy, standing }, (environment) => (this.#environment = environment))
      // The call that needs one starts it itself then, and tells what is wrong.
      .catch(() => undefined)
      .finally(() => (this.#starting = undefined));
  }

  /** Hands it out where it fits and answers; one that does not is gone, or could not be ended. */
  async takeFor(
    request: EnvironmentRequest,
    signal: AbortSignal,
  ): Promise<NodeEnvironment | CleanupFailed | undefined> {
    // What is allowed more, once, gets a process that was started for it alone.
    if (request.policy.mode !== request.standing) return undefined;
    await orAborted(this.started, signal);
    const environment = this.#waiting;
    if (!environment) return undefined;
    // What is protected or hidden is looked at last: from then on nothing is waited for.
    const isGood = fits(environment, request.policy) && (await environment.answers()) && isProtected(environment);
    // Another call may have taken it meanwhile, or a change of policy ended it.
    if (environment !== this.#waiting) return undefined;
    if (!isGood) {
      environment.end('released', { kind: 'settings' });
      return orAborted(settle(environment), signal);
    }
    environment.handOut(request);
    return environment;
  }

  get #waiting(): NodeEnvironment | undefined {
    const environment = this.#environment;
    return environment?.isSpare && !environment.reason ? environment : undefined;
  }
}

function fits({ request }: NodeEnvironment, policy: SandboxPolicy): boolean {
  return keyOf(request.policy) === keyOf(policy);
}

function isProtected({ request, parts }: NodeEnvironment): boolean {
  return unprotected(parts.process.protection, protectionOf(request.policy)).length === 0;
}
