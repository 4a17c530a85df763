import { z } from 'zod';
import type { JobId, SessionId } from '../base/id.ts';
import type { OutputPage } from '../job/output.ts';
import type { JobRow } from '../job/row.ts';
import { id, shape } from './schema.ts';

export const jobRequests = {
  /** Those that live, and the last ones that have ended since this process opened their Session. */
  list: {
    input: z.strictObject({ sessionId: id<SessionId>().exactOptional() }),
    output: z.object({ jobs: z.array(shape<JobRow>()).readonly() }),
  },
  /**
   * A page of what a job has printed, on both streams, from a byte of it on; of the jobs that are listed. A character is
   * never cut in two. `last`: nothing that is kept so far comes after it.
   */
  output: {
    input: z.strictObject({ jobId: id<JobId>(), from: z.int().nonnegative().exactOptional() }),
    output: shape<OutputPage>(),
  },
  /** Answered as soon as it is being ended; how far that is, is told by pushes. Where ending it failed, it is tried again. */
  stop: { input: z.strictObject({ jobId: id<JobId>() }), output: z.object({}) },
};
