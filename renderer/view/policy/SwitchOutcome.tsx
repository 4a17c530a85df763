import { X } from 'lucide-react';
import type { SessionId } from '../../../app/base/id.ts';
import { useOpened } from '../../store/opened.ts';
import { openDrawer, reveal } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { endsOf, isPast } from './ends.ts';
import { failureText } from './failureText.ts';
import { modeOfAll } from './presets.ts';
import type { Outcome } from './useSwitch.ts';

interface SwitchOutcomeProps {
  readonly sessionId: SessionId;
  readonly outcome: Outcome;
  readonly onDismiss: () => void;
}

/** Says where a choice is recorded and what it is ending, until the next turn or message, or until it is dismissed. */
export function SwitchOutcome({ sessionId, outcome, onDismiss }: SwitchOutcomeProps) {
  const dictionary = useText();
  const seq = outcome.kind === 'recorded' ? outcome.seq : undefined;
  const past = useOpened(({ opened }) => seq !== undefined && opened.kind === 'open' && isPast(opened.events, seq));
  const shown = outcome.kind !== 'none' && !past;
  return (
    <div role="status">
      {shown && (
        <p className={outcome.kind === 'failed' ? 'bar bad' : 'bar'} data-outcome={outcome.kind}>
          {outcome.kind === 'failed' ? (
            <span>{failureText(outcome, dictionary)}</span>
          ) : (
            <Recorded sessionId={sessionId} {...outcome} />
          )}
          <span className="spread" />
          <button
            type="button"
            className="button plain icon"
            aria-label={dictionary.policy.dismiss}
            title={dictionary.policy.dismiss}
            onClick={onDismiss}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </p>
      )}
    </div>
  );
}

type RecordedProps = Extract<Outcome, { kind: 'recorded' }> & Pick<SwitchOutcomeProps, 'sessionId'>;

function Recorded({ sessionId, seq, stopping }: RecordedProps) {
  const { policy, common } = useText();
  return (
    <span>
      {policy.recorded}{' '}
      <button type="button" className="link" onClick={() => reveal(sessionId, seq)}>
        {common.event(seq)}
      </button>
      {policy.recordedEnd}
      {stopping.length > 0 && <Endings seq={seq} stopping={stopping} />}
    </span>
  );
}

function Endings({ seq, stopping }: Pick<RecordedProps, 'seq' | 'stopping'>) {
  const { policy, common } = useText();
  const events = useOpened(({ opened }) => (opened.kind === 'open' ? opened.events : undefined));
  const { ended, failed } = endsOf(stopping, events ?? [], seq);
  const mode = modeOfAll(stopping);
  return (
    <>
      {policy.stopping(stopping.length, mode && common.modes[mode])}{' '}
      {ended === stopping.length && `${policy.stopped(ended)} `}
      {failed > 0 && `${policy.stopFailed(failed)} `}
      <button type="button" className="link" onClick={() => openDrawer('cleanup')}>
        {policy.showCleanup}
      </button>
    </>
  );
}
