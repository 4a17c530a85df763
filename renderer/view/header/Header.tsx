import type { SessionId } from '../../../app/base/id.ts';
import { useOpened } from '../../store/opened.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { PresetSelect } from '../policy/PresetSelect.tsx';
import { SwitchOutcome } from '../policy/SwitchOutcome.tsx';
import { useSwitch } from '../policy/useSwitch.ts';
import { CleanupChip } from './CleanupChip.tsx';
import { EnvironmentChip } from './EnvironmentChip.tsx';
import { FullAccess } from './FullAccess.tsx';
import { JobChip } from './JobChip.tsx';
import { Origins } from './Origins.tsx';
import { ProveButton } from './ProveButton.tsx';
import { ReadOnlyBar } from './ReadOnlyBar.tsx';
import { StopButton } from './StopButton.tsx';
import { useInForce } from './useInForce.ts';
import './header.css';

/** What the Session is, what is in force in it, and what of it is being ended. */
export function Header({ sessionId }: { readonly sessionId: SessionId }) {
  const { common } = useText();
  const title = useSessions((state) => state.rows.get(sessionId)?.title);
  const { preset, now } = useInForce();
  const readOnly = useOpened(({ opened }) => opened.kind === 'open' && opened.readOnly !== undefined);
  const { outcome, choose, dismiss } = useSwitch(sessionId);
  return (
    <>
      <header className="head">
        <div className="head-name">
          <h1 className="clip name">{title || common.untitled}</h1>
          <Origins sessionId={sessionId} />
        </div>
        <div className="head-tools">
          <CleanupChip sessionId={sessionId} />
          <EnvironmentChip sessionId={sessionId} />
          <JobChip sessionId={sessionId} />
          {now?.mode === 'danger-full-access' && <FullAccess preset={preset} />}
          {now !== undefined && !readOnly && <ProveButton />}
          {preset !== undefined && (
            <PresetSelect
              id="preset-select"
              value={preset}
              now={now}
              sessionId={sessionId}
              disabled={readOnly}
              onChoose={choose}
            />
          )}
          <StopButton sessionId={sessionId} />
        </div>
      </header>
      <ReadOnlyBar sessionId={sessionId} />
      <SwitchOutcome sessionId={sessionId} outcome={outcome} onDismiss={dismiss} />
    </>
  );
}
