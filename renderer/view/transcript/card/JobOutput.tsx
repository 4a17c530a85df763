import type { JobId } from '../../../../app/base/id.ts';
import { useText } from '../../../text/text.ts';
import { printed } from '../../../transcript/terminal.ts';
import { OutputBox } from '../text/PagedText.tsx';
import { useJobOutput } from './useJobOutput.ts';

interface JobOutputProps {
  readonly jobId: JobId;
  /** Nothing more will come: it is read without being asked for. */
  readonly over: boolean;
}

/** All that a job has printed, which main keeps beside the log for as long as the job is listed. */
export function JobOutput({ jobId, over }: JobOutputProps) {
  const { jobs, common, transcript } = useText();
  const { pages, loading, failed, more } = useJobOutput(jobId, over);
  const last = pages.at(-1);
  const isEmpty = last !== undefined && last.next === 0;
  const dropped = last?.last ? last.dropped : 0;
  return (
    <div className="t-section" role="group" aria-label={jobs.output}>
      <p className="t-section-head">
        <span className="t-section-label">{jobs.output}</span>
        {last && <span className="muted">{transcript.bytes(last.next)}</span>}
      </p>
      {isEmpty && <p className="muted">{over ? jobs.nothing : jobs.nothingYet}</p>}
      {last && !isEmpty && (
        <OutputBox label={jobs.output} stuck={false} start={pages[0]?.from ?? 0}>
          {printed(pages.map(({ text }) => text).join(''))}
        </OutputBox>
      )}
      {dropped > 0 && <p className="t-hole">{transcript.dropped(dropped)}</p>}
      {failed !== undefined && <p role="status">{failed}</p>}
      {!(over && last?.last) && (
        <p className="t-more">
          <button type="button" className="link" disabled={loading} onClick={more}>
            {loading ? common.loading : last ? jobs.readMore : jobs.readOutput}
          </button>
        </p>
      )}
    </div>
  );
}
