import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../../app/base/fault.ts';
import type { JobId } from '../../../../app/base/id.ts';
import type { OutputPage } from '../../../../app/job/output.ts';
import { request } from '../../../api.ts';
import { withOutput } from '../../../transcript/outputPages.ts';

export interface JobOutputState {
  /** Those that are shown, in order; the last of them says where it goes on. */
  readonly pages: readonly OutputPage[];
  readonly loading: boolean;
  readonly failed: string | undefined;
  readonly more: () => void;
}

/** What a job has printed, a page at a time from its beginning. `over`: the next page is read without being asked for. */
export function useJobOutput(jobId: JobId, over: boolean): JobOutputState {
  const [{ pages, loading, failed }, setState] = useState<Omit<JobOutputState, 'more'>>(BLANK);
  const next = useRef(0);
  const read = useCallback(async (): Promise<void> => {
    try {
      const page = await request('job.output', { jobId, from: next.current });
      next.current = page.next;
      setState((before) => ({ pages: withOutput(before.pages, page), loading: false, failed: undefined }));
    } catch (fault) {
      setState((before) => ({ ...before, loading: false, failed: messageOf(fault) }));
    }
  }, [jobId]);
  useEffect(() => {
    if (over) void read();
  }, [over, read]);
  const more = (): void => {
    setState((before) => ({ ...before, loading: true, failed: undefined }));
    void read();
  };
  return { pages, loading, failed, more };
}

const BLANK = { pages: [], loading: false, failed: undefined } as const;
