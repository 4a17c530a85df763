import * as z from 'zod';
import type { Files } from '../../tool/ports.ts';
import { cancelled, failed, refused, refusedAs, type Outcome } from '../../tool/result.ts';
import type { CallPlan, Tool, ToolRun } from '../../tool/tool.ts';
import { commandInput } from '../../tool/tools/commandInput.ts';
import { planCommand, shownFolder, workingFolder, type FolderParts } from '../../tool/tools/workingFolder.ts';
import { MOST_JOBS, type Jobs } from '../jobs.ts';
import type { JobRequest } from '../request.ts';
import type { JobRow } from '../row.ts';

const input = z.strictObject({
  title: z
    .string()
    .max(200)
    .refine((text) => text.trim() !== '' && text.isWellFormed(), 'must be well-formed and not blank')
    .describe('A few words on what it does, for a person'),
  ...commandInput,
  paths: z.array(z.string().min(1).max(4096)).max(100).optional().describe('What it will write, where that is known'),
});
export type JobStartInput = z.output<typeof input>;

const DESCRIPTION = `Starts a shell command in the background, in the sandbox and without input, and returns at once. It goes on
beside the turns until it ends or is ended: by job_kill, by a changed mode, or with the Session. At most ${MOST_JOBS} at a time. What
it prints is read with job_output.`;

export interface JobStartParts extends FolderParts {
  readonly jobs: Pick<Jobs, 'start' | 'areTooMany'>;
}

export function jobStartTool(parts: JobStartParts): Tool<JobStartInput> {
  return {
    name: 'job_start',
    description: DESCRIPTION,
    input,
    effect: 'write',
    presentation: 'terminal',
    nested: true,
    starts: 'job',
    plan: async ({ cwd }, at): Promise<CallPlan> =>
      parts.jobs.areTooMany ? { writes: 'none', refusal: tooMany() } : await planCommand(parts, cwd, at),
    subject: async ({ command, cwd }, at) => ({ kind: 'command', command, cwd: await shownFolder(parts, cwd, at) }),
    run: (asked, run, signal) => start(parts, asked, { run, signal }),
  };
}

async function start(
  parts: JobStartParts,
  asked: JobStartInput,
  { run, signal }: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome> {
  const cwd = await workingFolder(parts, asked.cwd, run.at);
  if (typeof cwd !== 'string') return cwd;
  const { title, command } = asked;
  const { callId, at } = run;
  const paths = asked.paths && (await absolute(parts.files, asked.paths, run));
  const request: JobRequest = { callId, title, command, cwd, at, ...(paths && { paths }) };
  const started = await parts.jobs.start(request, signal);
  switch (started.kind) {
    case 'too-many':
      return tooMany();
    case 'not-begun':
      return cancelled(started.why, 'Cancelled while it was starting.');
    case 'start-failed':
      return failed('not-found', `The command did not start: ${started.message}`);
    case 'unavailable':
      return refusedAs(started);
    case 'command':
    case 'agent':
      return outcomeOf(started);
  }
}

/** Where they lie; what is not there yet is named all the same. */
async function absolute(files: Pick<Files, 'locate'>, paths: readonly string[], { at }: ToolRun) {
  return await Promise.all(paths.map(async (path) => (await files.locate(path, at)).path));
}

function outcomeOf({ jobId, pid, startTime }: JobRow): Outcome {
  const value = { jobId, ...(pid !== undefined && { pid }), ...(startTime !== undefined && { startTime }) };
  return { status: 'ok', content: `Started job ${jobId} (pid ${pid}). It runs in the background.`, value };
}

function tooMany(): Outcome {
  return refused('unavailable', `${MOST_JOBS} jobs of this Session are alive already. End one with job_kill first.`);
}
