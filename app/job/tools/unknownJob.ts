import { cut } from '../../tool/cut.ts';
import { failed, type Outcome } from '../../tool/result.ts';

export function unknownJob(jobId: string): Outcome {
  return failed('not-found', `This Session has no job ${cut(jobId, 80)}. job_list names those that it has.`);
}
