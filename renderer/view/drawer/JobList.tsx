import { useMemo, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import type { JobRow } from '../../../app/job/row.ts';
import { stopJob, useMachine } from '../../store/machine.ts';
import { reveal } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { useStartTimes } from '../controls/useStartTimes.ts';

/** What runs beside the turns of this Session, the newest first, and what of it has ended. */
export function JobList({ sessionId }: { readonly sessionId: SessionId }) {
  const jobs = useMachine((state) => state.jobs);
  const { jobs: words } = useText();
  const shown = useMemo(
    () =>
      Array.from(jobs.values())
        .filter((row) => row.sessionId === sessionId)
        .toReversed(),
    [jobs, sessionId],
  );
  if (shown.length === 0) return <p className="drawer-empty">{words.none}</p>;
  return (
    <ul className="cleanups" aria-label={words.jobs}>
      {shown.map((row) => (
        <Job key={row.jobId} job={row} />
      ))}
    </ul>
  );
}

function Job({ job }: { readonly job: JobRow }) {
  const { cleanup, common } = useText();
  const { jobId, title, state, mode, pid, startTime, paths = [] } = job;
  const started = useStartTimes()(startTime);
  const facts = [pid !== undefined && cleanup.pid(pid, started), mode && cleanup.startedUnder(common.modes[mode])];
  return (
    <li className="cleanup" data-job-row={jobId} data-state={state}>
      <div className="cleanup-line">
        <strong className="clip" title={title}>
          <Visible text={title} />
        </strong>
        <StateTag job={job} />
      </div>
      <p className="muted">{facts.filter(Boolean).join(' · ')}</p>
      {paths.length > 0 && (
        <p className="mono variables">
          <Visible text={paths.join(', ')} />
        </p>
      )}
      <div className="cleanup-line">
        <Call job={job} />
        {state === 'running' && <Stop job={job} />}
      </div>
    </li>
  );
}

function StateTag({ job: { state, outcome, exitCode, signal } }: { readonly job: JobRow }) {
  const { jobs: words, transcript } = useText();
  if (state !== 'ended') return <span className={`tag ${TONES[state]}`}>{words.states[state]}</span>;
  if (outcome !== undefined && outcome !== 'ended') return <span className="tag wait">{words.ends[outcome]}</span>;
  const isWell = !signal && (exitCode ?? 0) === 0;
  const how = signal ?? (typeof exitCode === 'number' ? transcript.exit(exitCode) : words.states.ended);
  return <span className={`tag ${isWell ? '' : 'danger'}`}>{how}</span>;
}

const TONES = { running: 'run', ending: 'wait' } as const;

/** To the event that recorded its start, which stands beside the call that asked for it. */
function Call({ job: { seq, sessionId } }: { readonly job: JobRow }) {
  const { common } = useText();
  return (
    <button type="button" className="link" onClick={() => reveal(sessionId, seq)}>
      {common.event(seq)}
    </button>
  );
}

/** Nothing is asked, and the answer says nothing: what becomes of it is told by the state. */
function Stop({ job: { jobId, title } }: { readonly job: JobRow }) {
  const { jobs: words } = useText();
  const [refused, setRefused] = useState<string>();
  const stop = (): void => {
    setRefused(undefined);
    stopJob(jobId).catch((fault: unknown) => setRefused(messageOf(fault)));
  };
  return (
    <>
      {refused !== undefined && (
        <p className="job-refused" role="alert">
          <Visible text={refused} />
        </p>
      )}
      <button type="button" className="button" aria-label={words.stopOf(title)} onClick={stop}>
        {words.stop}
      </button>
    </>
  );
}
