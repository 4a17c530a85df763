import * as z from 'zod';
import type { JobId } from '../../base/id.ts';
import type { Outcome } from '../../tool/result.ts';
import type { Tool } from '../../tool/tool.ts';
import type { Jobs } from '../jobs.ts';
import type { OutputPage } from '../output.ts';
import type { JobState } from '../row.ts';
import { unknownJob } from './unknownJob.ts';

const input = z.strictObject({
  jobId: z.string(),
  from: z.int().min(0).default(0).describe('The byte to go on from: `next` of the page before'),
});
export type JobOutputInput = z.output<typeof input>;

const DESCRIPTION = `Returns what a background job has printed, on both streams, at most 64 KiB at once. Go on with \`from\`
set to \`next\`; \`ended\` says that the job is over and nothing more will come.`;

export function jobOutputTool(jobs: Pick<Jobs, 'get'>): Tool<JobOutputInput> {
  return {
    name: 'job_output',
    description: DESCRIPTION,
    input,
    effect: 'manage',
    presentation: 'terminal',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async (asked) => ({ kind: 'call', input: asked }),
    run: async ({ jobId, from }, _run, signal) => {
      const job = jobs.get(jobId as JobId); // An unknown one is told so.
      if (!job) return unknownJob(jobId);
      // Asked first: what is printed between the two is then still to come.
      const { state } = job;
      return outcomeOf(await job.made.output.page(from, signal), state);
    },
  };
}

function outcomeOf({ text, from, next, last, dropped }: OutputPage, state: JobState): Outcome {
  const ended = state === 'ended' && last;
  const notes = [
    ...(dropped > 0 && last ? [`${dropped} bytes that came after were dropped`] : []),
    ended ? 'the job has ended' : last ? `the job is ${state}` : 'there is more',
    ...(ended ? [] : [`go on from ${next}`]),
  ];
  const value = { text, from, next, ended, ...(dropped > 0 && { dropped }) };
  return {
    status: 'ok',
    content: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${notes.join('; ')}]`,
    value,
  };
}
