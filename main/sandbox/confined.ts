import type { Duplex, Readable, Writable } from 'node:stream';
import type { SessionId } from '../../app/base/id.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { LaunchRequest, ProcessHandle, Provider, Unavailable } from '../../app/sandbox/provider.ts';
import type { Protection } from './protection.ts';

/** What a launch needs on this host besides the policy. */
export interface ConfinedLaunch extends LaunchRequest {
  /** Added to the clean environment as they are; the caller vouches for them. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many two-way channels the process finds as descriptors 3, 4, … */
  readonly channels?: number;
  /** `/dev/null` unless a pipe is asked for. */
  readonly stdin?: 'ignore' | 'pipe';
  /** Between asking to end and insisting; 3 s unless said otherwise. 0 insists at once. */
  readonly graceMs?: number;
}

export interface ConfinedProcess extends ProcessHandle {
  readonly kind: 'process';
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  /** Processes that the leader left behind and that were ended with it, where they can be counted from outside. */
  readonly left: number;
  /** Which protected entries it was launched with: what came later it may write. */
  readonly protection: Protection;
  /** Whether the private temp has no room left, right now. */
  tempIsFull(): Promise<boolean>;
}

/** A Provider on this host. */
export interface Confiner extends Provider<ConfinedLaunch, ConfinedProcess> {
  /** The folder on the host through which the Session's private temp is reached; it starts the Compartment. */
  tempRoot(sessionId: SessionId, policy: SandboxPolicy, signal: AbortSignal): Promise<string | Unavailable>;
}
