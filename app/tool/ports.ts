import type { SessionId } from '../base/id.ts';
import type { Facts } from '../sandbox/facts.ts';
import type { Place } from '../sandbox/place.ts';
import type { SandboxPolicy } from '../sandbox/policy.ts';
import type { Closed, EndPhase, Enforcement, ProcessIdentity, Unavailable } from '../sandbox/provider.ts';

/** Whose files, and judged by which policy. */
export interface Confinement {
  readonly sessionId: SessionId;
  readonly policy: SandboxPolicy;
}

export interface FileContent {
  readonly kind: 'file';
  readonly place: Place;
  readonly bytes: number;
  readonly sha256: string;
  /** Decoded UTF-8 without its byte-order mark; undefined when the file is not text. */
  readonly text: string | undefined;
  readonly bom: boolean;
}

export type FileFailure =
  | { readonly kind: 'denied'; readonly path: string; readonly reason: string }
  | { readonly kind: 'not-found'; readonly path: string; readonly hint?: string }
  | { readonly kind: 'stale'; readonly path: string; readonly now: FileContent | undefined }
  | { readonly kind: 'not-a-file'; readonly path: string }
  | { readonly kind: 'too-large'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'workspace-missing'; readonly path: string };

/** Files as the file tools see them: the same verdicts, hide list and private temp as a confined process. */
export interface Files {
  /** Where `path` (absolute, or relative to the workspace) really lies, links of existing ancestors followed. */
  locate(path: string, at: Confinement): Promise<Place | FileFailure>;
  read(path: string, at: Confinement, signal: AbortSignal): Promise<FileContent | FileFailure>;
  /**
   * Replaces or makes the file atomically, making missing folders. `expected` is the digest it must have right before the
   * rename; null: it must not exist. The verdict is taken on the fresh target, so a swapped link cannot move the write.
   */
  replace(write: FileWrite, at: Confinement, signal: AbortSignal): Promise<FileWritten | FileFailure>;
}

export interface FileWrite {
  readonly path: string;
  readonly content: string;
  readonly expected: string | null;
  /** Where it may come to lie, absolute and canonical; a path that leads elsewhere by now is denied. */
  readonly only?: readonly string[];
}

export interface FileWritten {
  readonly kind: 'written';
  readonly place: Place;
  readonly created: boolean;
  readonly bytes: number;
  readonly sha256: string;
  /** Digest before; absent for a new file. */
  readonly before?: string;
}

export interface CommandRequest {
  /** A program with its arguments, or a command line for the shell (under the wrapper that tells a signal from a code). */
  readonly run: { readonly argv: readonly [string, ...string[]] } | { readonly shell: string };
  /** Inside path, absolute and canonical. */
  readonly cwd: string;
  /** Absent: it may take as long as it likes. */
  readonly timeoutMs?: number;
  /** Absent: all of its output up to the limit. The tail alone, where whoever takes `onOutput` keeps the rest. */
  readonly keeps?: 'tail';
  /** A shell that waits for `go` and does nothing until then: what must be recorded or listed first can be. */
  readonly held?: boolean;
  /** What it reads on its standard input; without it there is nothing to read. */
  readonly stdin?: string;
  /** Variables besides those that every command has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Live output, decoded on character boundaries. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  /** The time is up; `timedOut` is already a fact. Without it the command is ended at once. */
  readonly onTimeout?: () => void;
}

/** A running command. `done` resolves when nothing of it is alive, however it ended. */
export interface RunningCommand {
  readonly kind: 'running';
  readonly process: ProcessIdentity;
  readonly enforcement: Enforcement;
  readonly done: Promise<CommandDone>;
  /** Lets a command begin that is held; any other has begun. */
  go(): void;
  /** Ends it; the facts then say `cancelled`, unless its time was up. */
  close(onPhase?: (phase: EndPhase) => void): Promise<Closed>;
}

export interface CommandDone {
  readonly facts: Facts;
  /** Set where the launcher or the errno texts speak of a denial. */
  readonly hints: readonly { readonly operation: string; readonly path?: string }[];
  /** A fault of ending it; the process may still be alive and is then a failed Cleanup. */
  readonly closeError?: string;
}

export interface StartFailed {
  readonly kind: 'start-failed';
  /** A plain start error of the command itself, such as a missing working directory. */
  readonly message: string;
}

/** Commands and searches, confined. */
export interface Commands {
  /**
   * `signal` covers the start alone: an abort while starting leaves nothing behind and comes back as a start failure. What
   * came up and could not be ended comes back as running, to be listed and ended; only a held one is sure to have done nothing.
   */
  start(
    request: CommandRequest,
    at: Confinement,
    signal: AbortSignal,
  ): Promise<RunningCommand | StartFailed | Unavailable>;
}
