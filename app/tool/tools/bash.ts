import * as z from 'zod';
import { causeOf } from '../../base/cancel.ts';
import { boundRoots, isWithin, type Place } from '../../sandbox/place.ts';
import { cut } from '../cut.ts';
import type { CommandDone, Commands, Confinement, Files, RunningCommand } from '../ports.ts';
import { cancelled, failed, refused, refusedAs, type Outcome } from '../result.ts';
import type { CallPlan, Tool, ToolRun } from '../tool.ts';
import { commandOutcome } from './commandOutcome.ts';
import { isPlace, refusalOf } from './fileParts.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;

const input = z.strictObject({
  command: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character'),
  cwd: z.string().min(1).optional().describe('Folder to run in; the workspace by default'),
  timeoutMs: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
});
export type BashInput = z.output<typeof input>;

const DESCRIPTION = `Runs a shell command in the sandbox, without input, and returns what it printed and how it ended. An exit
code other than 0 is no error of the call. Processes that it leaves behind are ended with it. 120 s unless timeoutMs says otherwise.`;

export interface BashParts {
  readonly commands: Commands;
  readonly files: Pick<Files, 'locate'>;
  readonly deniedLine: (at: Confinement) => string;
}

export function bashTool(parts: BashParts): Tool<BashInput> {
  return {
    name: 'bash',
    description: DESCRIPTION,
    input,
    effect: 'write',
    presentation: 'terminal',
    nested: true,
    escalates: 'Asks a person to let exactly this command run under a wider mode, once',
    starts: 'command',
    plan: (asked, at) => plan(parts, asked, at),
    subject: async ({ command, cwd }, at) => ({ kind: 'command', command, cwd: await shownFolder(parts, cwd, at) }),
    run: (asked, run, signal) => execute(parts, asked, { run, signal }),
  };
}

async function plan(parts: BashParts, { cwd }: BashInput, at: Confinement): Promise<CallPlan> {
  const folder = await workingFolder(parts, cwd, at);
  const writes = at.policy.mode === 'read-only' ? 'none' : 'whole';
  return typeof folder === 'string' ? { writes } : { writes: 'none', refusal: folder };
}

/** A folder to run in widens nothing: it must be one that the sandbox has anyway. Links are followed first. */
async function workingFolder(parts: BashParts, cwd: string | undefined, at: Confinement): Promise<string | Outcome> {
  const place = await parts.files.locate(cwd ?? at.policy.workspace.path, at);
  if (!isPlace(place)) return refusalOf(place, 'read', { parts, at });
  if (mayRunIn(place, at)) return place.path;
  const text = `Denied: the working folder ${place.path} is outside workspace ${at.policy.workspace.path}.`;
  const denied = { operation: 'cwd', path: place.path, mode: at.policy.mode, certain: true };
  return { ...refused('denied', `${text}\n${parts.deniedLine(at)}`), denied: [denied] };
}

function mayRunIn(place: Place, { policy }: Confinement): boolean {
  if (policy.mode === 'danger-full-access' || place.kind === 'temp') return true;
  return boundRoots(policy).some((root) => isWithin(place.path, root));
}

async function shownFolder({ files }: BashParts, cwd: string | undefined, at: Confinement): Promise<string> {
  const { path } = await files.locate(cwd ?? at.policy.workspace.path, at);
  return path;
}

async function execute(
  parts: BashParts,
  asked: BashInput,
  { run, signal }: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome> {
  const cwd = await workingFolder(parts, asked.cwd, run.at);
  if (typeof cwd !== 'string') return cwd;
  const { approved } = run;
  if (approved?.kind === 'command' && approved.cwd !== cwd) {
    return refused(
      'denied',
      `Denied: a link was changed meanwhile, and ${cwd} is not the folder that was asked about.`,
    );
  }
  const timeout = new Timeout();
  const request = {
    run: { shell: asked.command },
    cwd,
    timeoutMs: asked.timeoutMs,
    onOutput: (stream: 'stdout' | 'stderr', text: string) => run.output(stream, text),
    onTimeout: () => timeout.reach(),
  };
  const running = await parts.commands.start(request, run.at, signal);
  if (running.kind !== 'running' && signal.aborted)
    return cancelled(causeOf(signal), 'Cancelled while it was starting.');
  if (running.kind === 'start-failed') return failed('not-found', `The command did not start: ${running.message}`);
  if (running.kind === 'unavailable') return refusedAs(running);
  const done = await supervise(running, { run, timeout, title: cut(asked.command, 120) });
  return commandOutcome(done, {
    policy: run.at.policy,
    timeoutMs: asked.timeoutMs,
    deniedLine: parts.deniedLine(run.at),
    signal,
  });
}

async function supervise(
  running: RunningCommand,
  { run, timeout, title }: { readonly run: ToolRun; readonly timeout: Timeout; readonly title: string },
): Promise<CommandDone> {
  const close: RunningCommand['close'] = (onPhase) => running.close(onPhase);
  const tracking = run.track({ title, process: running.process, close });
  timeout.whenReached(() => tracking.end({ kind: 'limit' }));
  const done = await running.done;
  tracking.gone();
  return done;
}

/** A time that may be up before anybody can end the command: it is ended as soon as both are there. */
class Timeout {
  #reached = false;
  #end: (() => void) | undefined;

  reach(): void {
    this.#reached = true;
    this.#end?.();
  }

  whenReached(end: () => void): void {
    this.#end = end;
    if (this.#reached) end();
  }
}
