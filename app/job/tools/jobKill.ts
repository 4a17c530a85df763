import * as z from 'zod';
import { orAborted } from '../../base/cancel.ts';
import type { JobId } from '../../base/id.ts';
import { failed } from '../../tool/result.ts';
import type { Tool } from '../../tool/tool.ts';
import type { Jobs } from '../jobs.ts';
import { unknownJob } from './unknownJob.ts';

const input = z.strictObject({ jobId: z.string() });

const DESCRIPTION = `Ends a background job with everything that it started, and returns when nothing of it is alive. A job
that has ended already stays as it is.`;

export function jobKillTool(jobs: Pick<Jobs, 'get'>): Tool<z.output<typeof input>> {
  return {
    name: 'job_kill',
    description: DESCRIPTION,
    input,
    effect: 'manage',
    presentation: 'generic',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async (asked) => ({ kind: 'call', input: asked }),
    run: async ({ jobId }, _run, signal) => {
      const job = jobs.get(jobId as JobId); // An unknown one is told so.
      if (!job) return unknownJob(jobId);
      job.end({ kind: 'stopped', by: 'parent' });
      const failure = await orAborted(job.settled(), signal);
      if (failure?.failed) return failed('CLEANUP_FAILED', `It could not be ended: ${failure.failed.error}`);
      const { outcome = 'ended' } = job.row;
      return { status: 'ok', content: `Job ${jobId} is over: ${outcome}.`, value: { outcome } };
    },
  };
}
