import type { SessionId } from '../../../app/base/id.ts';
import { useText, type Dictionary } from '../../text/text.ts';
import { useInForce } from '../header/useInForce.ts';
import { countOf } from './judge.ts';
import { ProofRow } from './ProofRow.tsx';
import { useProof, type Probed } from './useProof.ts';
import './proof.css';

/** What the Mode in force claims next to what was seen in this Session's own sandbox (ui.md, What the window never claims). */
export function ProofList({ sessionId }: { readonly sessionId: SessionId }) {
  const { proof } = useText();
  const { probed, trying, trouble, again } = useProof(sessionId);
  return (
    <div className="proof" aria-busy={trying}>
      <p className="muted">{proof.means}</p>
      <div className="proof-line">
        <Standing probed={probed} trying={trying} trouble={trouble} />
        <button type="button" className="button" aria-disabled={trying} onClick={again}>
          {proof.again}
        </button>
      </div>
      {probed && trouble === undefined && <Result probed={probed} />}
      <p className="muted proof-limits">{proof.limits}</p>
    </div>
  );
}

interface StandingProps {
  readonly probed: Probed | undefined;
  readonly trying: boolean;
  readonly trouble: string | undefined;
}

function Standing({ probed, trying, trouble }: StandingProps) {
  const dictionary = useText();
  const { proof } = dictionary;
  const bad = !trying && (trouble !== undefined || (probed !== undefined && countOf(probed.probes).differs > 0));
  const text = trouble === undefined ? probed && summaryOf(probed, dictionary) : proof.failed(trouble);
  return (
    <p role="status" className={bad ? 'proof-bad' : undefined}>
      {trying ? proof.trying : text}
    </p>
  );
}

function summaryOf({ probes }: Probed, { proof }: Dictionary): string {
  const { same, differs, untried, unclear } = countOf(probes);
  return [
    differs > 0 ? proof.differing(differs, same + differs) : same > 0 && proof.allAsClaimed(same),
    unclear > 0 && proof.unclear(unclear),
    untried > 0 && proof.untried(untried),
  ]
    .filter(Boolean)
    .join(' ');
}

function Result({ probed: { mode, provider, enforcement, probes } }: { readonly probed: Probed }) {
  const { common, proof } = useText();
  const { now } = useInForce();
  return (
    <>
      <p>{[proof.triedUnder(common.modes[mode]), proof.enforcement[enforcement](provider)].join(' · ')}</p>
      {now !== undefined && now.mode !== mode && (
        <p role="status" className="proof-stale">
          {proof.stale(common.modes[now.mode])}
        </p>
      )}
      {mode === 'danger-full-access' && <p className="proof-bad">{proof.unconfined}</p>}
      <ul className="proof-rows" aria-label={proof.proof}>
        {probes.map((probe) => (
          <ProofRow key={`${probe.subject} ${probe.path}`} probe={probe} />
        ))}
      </ul>
    </>
  );
}
