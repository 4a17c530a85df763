import { CircleAlert, CircleCheck } from 'lucide-react';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { Modes } from './Modes.tsx';
import type { Check, Doctor } from './useDoctor.ts';
import './checks.css';

/** What was tried and what came of it, and what that means for each Mode. */
export function Checks({ doctor: { checks, running, trouble, run } }: { readonly doctor: Doctor }) {
  const { forms } = useText();
  const words = forms.settings;
  const wrong = checks.filter(({ ok }) => !ok).length;
  const failed = trouble === undefined ? undefined : words.checkFailed(trouble);
  return (
    <div className="checks" aria-busy={running}>
      <div className="setting-line">
        <p role="status">{running ? words.checking : (failed ?? words.checked(wrong))}</p>
        <span className="spread" />
        <button type="button" className="button" aria-disabled={running} onClick={run}>
          {words.checkAgain}
        </button>
      </div>
      {checks.length > 0 && (
        <>
          <ul className="check-rows" aria-label={words.machine}>
            {checks.map((check) => (
              <Row key={check.name} check={check} />
            ))}
          </ul>
          <Modes checks={checks} />
        </>
      )}
    </div>
  );
}

function Row({ check: { name, ok, message, remedy } }: { readonly check: Check }) {
  const { forms } = useText();
  const words = forms.settings;
  const known = Object.entries(words.checks).find(([key]) => key === name)?.[1];
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <li className="check-row" data-check={name} data-ok={ok}>
      <span className={ok ? 'tag run check-tag' : 'tag danger check-tag'}>
        <Icon size={12} aria-hidden="true" /> {ok ? words.ok : words.notOk}
      </span>
      <div>
        <p className="check-line">
          <strong>{known?.name ?? name}</strong>
          {known && <span className="muted">{known.means}</span>}
          <span className="spread" />
          <span className="muted mono">
            <Visible text={message} />
          </span>
        </p>
        {remedy !== undefined && (
          <p className="check-remedy">
            <Visible text={remedy} />
          </p>
        )}
      </div>
    </li>
  );
}
