import * as z from 'zod';
import { causeOf } from '../../base/cancel.ts';
import { cut } from '../cut.ts';
import type { CommandDone, Commands, RunningCommand } from '../ports.ts';
import { cancelled, failed, refused, refusedAs, type Outcome } from '../result.ts';
import type { Tool, ToolRun } from '../tool.ts';
import { commandInput } from './commandInput.ts';
import { commandOutcome } from './commandOutcome.ts';
import { planCommand, shownFolder, workingFolder, type FolderParts } from './workingFolder.ts';
import { TimeLimit } from '../timeLimit.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;

const input = z.strictObject({
  ...commandInput,
  timeoutMs: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
});
export type BashInput = z.output<typeof input>;

const DESCRIPTION = `Runs a shell command in the sandbox, without input, and returns what it printed and how it ended. An exit
code other than 0 is no error of the call. Processes that it leaves behind are ended with it. 120 s unless timeoutMs says otherwise.`;

export interface BashParts extends FolderParts {
  readonly commands: Commands;
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
    plan: ({ cwd }, at) => planCommand(parts, cwd, at),
    subject: async ({ command, cwd }, at) => ({ kind: 'command', command, cwd: await shownFolder(parts, cwd, at) }),
    run: (asked, run, signal) => execute(parts, asked, { run, signal }),
  };
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
  const timeout = new TimeLimit();
  const request = {
    run: { shell: asked.command },
    cwd,
    timeoutMs: asked.timeoutMs,
    held: true,
    onOutput: (stream: 'stdout' | 'stderr', text: string) => run.output(stream, text),
    onTimeout: () => timeout.reach(),
  };
  const running = await parts.commands.start(request, run.at, signal);
  if (running.kind !== 'running' && signal.aborted)
    return cancelled(causeOf(signal), 'Cancelled while it was starting.');
  if (running.kind === 'start-failed') return failed('not-found', `The command did not start: ${running.message}`);
  if (running.kind === 'unavailable') return refusedAs(running);
  const done = await supervise(running, { run, timeout, title: cut(asked.command, 120) }, signal);
  return commandOutcome(done, {
    policy: run.at.policy,
    timeoutMs: asked.timeoutMs,
    deniedLine: parts.deniedLine(run.at),
    signal,
  });
}

async function supervise(
  running: RunningCommand,
  { run, timeout, title }: { readonly run: ToolRun; readonly timeout: TimeLimit; readonly title: string },
  signal: AbortSignal,
): Promise<CommandDone> {
  const close: RunningCommand['close'] = (onPhase) => running.close(onPhase);
  const tracking = run.track({ title, process: running.process, close });
  timeout.whenReached(() => tracking.end({ kind: 'limit' }));
  // It is listed, so a cancel from now on ends it. One that came before is ending it already, and it has done nothing.
  if (!signal.aborted) running.go();
  const done = await running.done;
  const { limit, revealed } = done.facts;
  // Ended by the watch of the sandbox before anybody was asked: it is an ending that the product caused all the same.
  if (revealed !== undefined) tracking.end({ kind: 'settings' });
  else if (limit === 'memory' || limit === 'process') tracking.end({ kind: 'limit' });
  // It ended by itself, and what it left could not be ended with it.
  if (done.closeError !== undefined) tracking.end({ kind: 'stop' });
  else tracking.gone();
  return done;
}
