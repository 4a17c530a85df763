import type { SessionId } from '../base/id.ts';
import type { SandboxPolicy } from './policy.ts';

export const ENFORCEMENTS = ['full', 'partial', 'none'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** A process is its pid and its start time (clock ticks after boot); a pid alone may be somebody else by now. */
export interface ProcessIdentity {
  /** Host pid of the process whose death ends the whole tree: inside bubblewrap, its init. */
  readonly pid: number;
  readonly startTime: string;
}

export type EndPhase = 'asked' | 'terminating' | 'killing' | 'exited' | 'released';

/** How a process came to its end. The facts stand side by side; none hides another. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The limit of a whole tree that was met: `memory` and `process` ended it, with `temp` it ended by itself. */
export type Exceeded = 'memory' | 'process' | 'temp';

export type Closed =
  | { readonly ok: true; readonly exit: Exit }
  | { readonly ok: false; readonly phase: EndPhase; readonly error: string };

/**
 * A process tree that can be ended. `closed` resolves when nothing of it is alive, whoever ended it. `close()` makes that
 * true: asks, insists, waits; two calls at once are one attempt. After a failed attempt it may be called again, and the
 * handle is good for nothing else.
 */
export interface ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly enforcement: Enforcement;
  /** The leader has exited by itself or was made to; the tree may still be ending. */
  readonly exited: Promise<Exit>;
  readonly closed: Promise<Exit>;
  /** Known for good when `exited` is; undefined where nothing is limited. */
  readonly exceeded: Exceeded | undefined;
  /** A hidden path that it could read since something appeared there: it was ended for that. Known when `exited` is. */
  readonly revealed?: string | undefined;
  close(onPhase?: (phase: EndPhase) => void): Promise<Closed>;
}

/** No confinement can be had, so nothing ran. `remedy` is one sentence that tells a person what to do. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly code: 'SANDBOX_UNAVAILABLE' | 'workspace-missing';
  readonly message: string;
  readonly remedy?: string;
  /** Raw text of the launcher, for details; never shown alone. */
  readonly detail?: string;
}

/** What the doctor says of this machine. */
export interface ProbeReport {
  readonly provider: string;
  readonly enforcement: Enforcement;
  readonly message: string;
  readonly remedy?: string;
}

/**
 * What can start a confined process on this machine. A launch enforces what its policy promises or is refused; there is
 * no path from a confined Mode to an unconfined process (sandbox.md).
 */
export interface Provider<Launch extends LaunchRequest, Handle extends ProcessHandle> {
  probe(signal: AbortSignal): Promise<ProbeReport>;
  launch(request: Launch, signal: AbortSignal): Promise<Handle | Unavailable>;
  /** Ends the Session's Compartment and everything in it: temp and loopback are gone. */
  release(sessionId: SessionId): Promise<void>;
  /** Ends every process it started. Nothing of them is alive when it resolves. */
  close(): Promise<void>;
}

export interface LaunchRequest {
  readonly sessionId: SessionId;
  readonly policy: SandboxPolicy;
  readonly argv: readonly [string, ...string[]];
  /** Inside path, absolute. */
  readonly cwd: string;
}
