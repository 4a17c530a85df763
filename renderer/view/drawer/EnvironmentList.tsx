import { useMemo, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import type { EnvironmentRow } from '../../../app/ptc/nodeProvider.ts';
import { resetEnvironment, useMachine } from '../../store/machine.ts';
import { useText } from '../../text/text.ts';
import { shortId } from '../../transcript/shortId.ts';
import { Visible } from '../approval/Visible.tsx';
import { useStartTimes } from '../controls/useStartTimes.ts';

/** The Session's Node processes and what they keep. Reset ends the retained ones: their variables are gone. */
export function EnvironmentList({ sessionId }: { readonly sessionId: SessionId }) {
  const environments = useMachine((state) => state.environments);
  const { cleanup } = useText();
  const [problem, setProblem] = useState<string>();
  const shown = useMemo(
    () => Array.from(environments.values()).filter((row) => row.sessionId === sessionId),
    [environments, sessionId],
  );
  if (shown.length === 0) return <p className="drawer-empty">{cleanup.noEnvironment}</p>;
  const reset = (): void => {
    resetEnvironment(sessionId).then(
      () => setProblem(undefined),
      (fault: unknown) => setProblem(messageOf(fault)),
    );
  };
  return (
    <>
      <ul className="cleanups" aria-label={cleanup.environments}>
        {shown.map((row) => (
          <Environment key={row.id} environment={row} />
        ))}
      </ul>
      <div className="drawer-actions">
        <button type="button" className="button" onClick={reset}>
          {cleanup.reset}
        </button>
        <p className="muted" role="status">
          {problem ?? cleanup.resetMeans}
        </p>
      </div>
    </>
  );
}

function Environment({ environment }: { readonly environment: EnvironmentRow }) {
  const { cleanup, common } = useText();
  const { id, pid, startTime, mode, enforcement, retained, idle, variables } = environment;
  const started = useStartTimes()(startTime);
  return (
    <li className="cleanup" data-environment={id}>
      <div className="cleanup-line">
        <strong className="clip">{cleanup.environment(shortId(id))}</strong>
        <span className={`tag ${idle ? '' : 'run'}`}>{idle ? cleanup.idle : cleanup.busy}</span>
      </div>
      <p className="muted">
        {[
          cleanup.pid(pid, started),
          common.modes[mode],
          cleanup.enforcement[enforcement],
          retained ? cleanup.kept : cleanup.once,
        ].join(' · ')}
      </p>
      {retained && (
        <p className="mono variables">
          {variables.length > 0 ? (
            <Visible text={variables.join(', ')} />
          ) : (
            <span className="muted">{cleanup.noVariables}</span>
          )}
        </p>
      )}
    </li>
  );
}
