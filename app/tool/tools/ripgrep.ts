import { causeOf } from '../../base/cancel.ts';
import type { Facts } from '../../sandbox/facts.ts';
import { isWithin } from '../../sandbox/place.ts';
import { cut } from '../cut.ts';
import type { Commands, RunningCommand } from '../ports.ts';
import { cancelled, failed, refusedAs, type Outcome } from '../result.ts';
import type { ToolRun, Tracking } from '../tool.ts';
import type { GlobPattern } from './globPattern.ts';
import { Records, type RecordSink } from './records.ts';

/** How the search tools reach ripgrep. It runs confined like any command, so the hide list holds for it. */
export interface Ripgrep {
  readonly commands: Commands;
  /** Where the program lies, as seen from inside the sandbox. */
  readonly rgPath: string;
}

export interface Search extends RecordSink {
  readonly title: string;
  readonly argv: readonly string[];
}

/** Hidden files are searched and `.git` is not; `.gitignore` holds outside of repositories too. */
const ALWAYS = ['--no-config', '--no-messages', '--hidden', '--no-require-git', '--glob', '!.git'];

const TIMEOUT_MS = 60_000;

/** Undefined when the search came to its end, or had enough; else why it did not. */
export async function runSearch(
  { commands, rgPath }: Ripgrep,
  search: Search,
  { run, signal }: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome | undefined> {
  const reader = new Records(search);
  let errors = '';
  const request = {
    run: { argv: [rgPath, ...ALWAYS, ...search.argv] as const },
    cwd: run.at.policy.workspace.path,
    timeoutMs: TIMEOUT_MS,
    onOutput: (stream: 'stdout' | 'stderr', text: string) => {
      if (stream === 'stdout') reader.take(text);
      else errors = cut(errors + text, 4096);
    },
  };
  const running = await commands.start(request, run.at, signal);
  if (running.kind !== 'running' && signal.aborted) return cancelled(causeOf(signal), 'The search was cancelled.');
  if (running.kind === 'start-failed') return failed('exception', `The search did not start: ${running.message}`);
  if (running.kind === 'unavailable') return refusedAs(running);
  const tracking = run.track({
    title: search.title,
    process: running.process,
    close: (onPhase) => running.close(onPhase),
  });
  void reader.enough.then(() => endQuietly(running, tracking));
  const { facts, closeError } = await running.done;
  if (closeError === undefined) tracking.gone();
  else tracking.end({ kind: 'stop' });
  if (reader.fault !== undefined) throw new Error('The search could not be read', { cause: reader.fault });
  if (reader.isEnough) return undefined;
  return refusalOf(facts, errors.trim(), signal);
}

/** Enough was found: this is how the search ends, so it becomes a Cleanup only when the process does not go. */
async function endQuietly(running: RunningCommand, tracking: Tracking): Promise<void> {
  const closed = await running.close();
  if (!closed.ok) tracking.end({ kind: 'limit' });
}

function refusalOf(facts: Facts, errors: string, signal: AbortSignal): Outcome | undefined {
  if (facts.timedOut)
    return failed('timeout', `The search was ended after ${TIMEOUT_MS / 1000} s. Search a smaller folder.`);
  // A full temp and much output end no search: what it printed was read whole, while it ran.
  const isWhole = facts.exitCode !== null && (facts.limit === 'temp' || facts.limit === 'output');
  if (facts.limit && !isWhole) return failed(`${facts.limit}-limit`, `The search was ended: ${facts.limit} limit.`);
  if (facts.cancelled || signal.aborted) return cancelled(causeOf(signal), 'The search was cancelled.');
  if (facts.signal !== null) return failed('exception', `The search was killed by ${facts.signal}.`);
  // 1: nothing found. 2 with a message: the pattern is wrong. 2 without: some folder could not be read.
  if (facts.exitCode === 2 && errors !== '') return failed('invalid-input', errors);
  return undefined;
}

/** Searches files by their names only as far as that cannot change which of them `.gitignore` hides. */
export function nameFilter(pattern: GlobPattern | undefined): readonly string[] {
  if (!pattern?.names) return [];
  return [...pattern.names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

/** Relative to the workspace, as the tools show paths; absolute outside. */
export function shownPath(path: string, workspace: string): string {
  return isWithin(path, workspace) && path !== workspace
    ? path.slice(workspace === '/' ? 1 : workspace.length + 1)
    : path;
}
