import { CircleAlert, CircleCheck, CircleDashed, CircleHelp } from 'lucide-react';
import type { Probe } from '../../../app/sandbox/probe.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { judge } from './judge.ts';

/** One claim, what was seen of it, and whether they agree. */
export function ProofRow({ probe }: { readonly probe: Probe }) {
  const { proof } = useText();
  const { subject, path, expected, observed, detail } = probe;
  const judged = judge(probe);
  const { colour, icon: Icon } = LOOKS[judged];
  return (
    <li className="proof-row" data-probe={subject} data-judged={judged}>
      <div className="proof-line">
        <strong>{proof.subjects[subject]}</strong>
        <span className={`tag ${colour} proof-tag`}>
          <Icon size={12} aria-hidden="true" /> {proof.verdicts[judged]}
        </span>
      </div>
      <p className="mono proof-path">
        <Visible text={path} />
      </p>
      <dl className="proof-facts">
        <dt>{proof.claimed}</dt>
        <dd>{proof.claims[expected]}</dd>
        <dt>{proof.seen}</dt>
        <dd>
          {proof.findings[observed]}
          {detail !== undefined && <span className="muted mono"> {detail}</span>}
        </dd>
      </dl>
    </li>
  );
}

const LOOKS = {
  same: { colour: 'run', icon: CircleCheck },
  differs: { colour: 'danger', icon: CircleAlert },
  untried: { colour: '', icon: CircleDashed },
  unclear: { colour: 'wait', icon: CircleHelp },
} as const;
