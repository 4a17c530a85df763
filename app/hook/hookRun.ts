import type { SessionId } from '../base/id.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import type { Started } from '../cleanup/started.ts';
import type { Journal } from '../log/journal.ts';
import type { SandboxPolicy } from '../sandbox/policy.ts';
import { cut } from '../tool/cut.ts';
import { LiveProcess } from '../tool/liveProcess.ts';
import type { CommandDone, Commands, RunningCommand } from '../tool/ports.ts';
import type { HookEnd } from './answer.ts';
import type { Hook } from './hook.ts';
import { TimeLimit } from '../tool/timeLimit.ts';

export interface HookRunParts {
  readonly session: { readonly id: SessionId; readonly journal: Journal<CleanupEvent> };
  readonly commands: Commands;
  readonly cleanups: Cleanups;
  readonly started: Started;
}

/** One hook that is due. */
export interface DueHook {
  readonly hook: Hook;
  /** Whose it is: what it is called beside its title in Started and Cleanup. */
  readonly id: string;
  readonly stdin: string;
  /** The standing policy at this moment, whatever its call was allowed. */
  readonly policy: SandboxPolicy;
}

export type HookRan = HookEnd & { readonly durationMs: number };

/**
 * Runs one hook like any other command: confined, listed while it lives, ended as a Cleanup with `signal` and when its
 * time is up. Resolves when nothing of it is alive, or ending it has failed and is a person's to try again.
 */
export async function runHook(parts: HookRunParts, due: DueHook, signal: AbortSignal): Promise<HookRan> {
  if (signal.aborted) return neverStarted('cancelled', 'it was cancelled before it started');
  const { hook, stdin, policy } = due;
  const printed = new Beginnings();
  const limit = new TimeLimit();
  const request = {
    run: { shell: hook.command },
    cwd: policy.workspace.path,
    timeoutMs: hook.timeoutMs,
    keeps: 'tail' as const,
    held: true,
    stdin,
    // Where existing hooks look for their own scripts.
    env: { CLAUDE_PROJECT_DIR: policy.workspace.path },
    onOutput: (stream: 'stdout' | 'stderr', text: string) => printed.take(stream, text),
    onTimeout: () => limit.reach(),
  };
  const running = await parts.commands.start(request, { sessionId: parts.session.id, policy }, signal);
  if (running.kind !== 'running') {
    const why = signal.aborted ? 'it was cancelled while it was starting' : `it did not start: ${running.message}`;
    return neverStarted(signal.aborted ? 'cancelled' : 'failed', why);
  }
  const done = await supervise(parts, due, { running, limit, signal });
  return { ...printed.said, ...endOf(done, hook), durationMs: done.facts.durationMs };
}

interface Supervised {
  readonly running: RunningCommand;
  readonly limit: TimeLimit;
  readonly signal: AbortSignal;
}

async function supervise(parts: HookRunParts, due: DueHook, { running, limit, signal }: Supervised) {
  const { session: subject, cleanups, started } = parts;
  const { hook, id, policy } = due;
  const title = `${hook.on}: ${cut(hook.command, 120)}`;
  const item = { what: 'hook' as const, id, title, mode: policy.mode, process: running.process };
  const process = {
    title,
    process: running.process,
    close: ((onPhase) => running.close(onPhase)) as RunningCommand['close'],
  };
  const live = new LiveProcess({ subject, cleanups, started, item, process }, signal);
  limit.whenReached(() => live.end({ kind: 'limit' }));
  // Nothing of it has run until it is listed, and whoever cancels it now ends it.
  if (!signal.aborted) running.go();
  const done = await running.done;
  // What it left behind and nobody could end is listed until it is gone, and a person's to try again.
  if (done.closeError === undefined) live.gone();
  else live.end({ kind: 'stop' });
  // Its Cleanup is over, or has failed, before anything goes on.
  await live.ending?.settled();
  return done;
}

function endOf({ facts, closeError }: CommandDone, hook: Hook): Omit<HookEnd, Said> {
  const { exitCode, signal, timedOut, cancelled, limit } = facts;
  if (closeError !== undefined) return unanswered('failed', `it could not be ended: ${closeError}`);
  if (timedOut) return unanswered('failed', `it took longer than ${hook.timeoutMs / 1000} s and was ended`);
  if (cancelled) return unanswered('cancelled', 'it was cancelled and ended');
  // Output is only held back; every other limit ends a process.
  if (limit !== undefined && limit !== 'output') return unanswered('failed', `it was ended at its ${limit} limit`);
  return { exitCode, signal };
}

function unanswered(kind: 'failed' | 'cancelled', why: string): Omit<HookEnd, Said> {
  return { exitCode: null, signal: null, unanswered: { kind, why } };
}

function neverStarted(kind: 'failed' | 'cancelled', why: string): HookRan {
  return { ...unanswered(kind, why), stdout: '', stderr: '', isCut: false, durationMs: 0 };
}

type Said = 'stdout' | 'stderr' | 'isCut';

const KEPT = 64 * 1024;

/** What a hook says stands at the beginning of what it prints; the rest of a flood is let pass. */
class Beginnings {
  readonly #texts = { stdout: '', stderr: '' };
  #isCut = false;

  get said(): Pick<HookEnd, Said> {
    return { ...this.#texts, isCut: this.#isCut };
  }

  take(stream: 'stdout' | 'stderr', text: string): void {
    const room = KEPT - this.#texts[stream].length;
    if (room > 0) this.#texts[stream] += text.slice(0, room);
    if (stream === 'stdout' && text.length > room) this.#isCut = true;
  }
}
