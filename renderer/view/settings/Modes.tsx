import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useText } from '../../text/text.ts';
import type { Check } from './useDoctor.ts';

/** What each Mode is worth on this machine: how far it is enforced, and what it never does. */
export function Modes({ checks }: { readonly checks: readonly Check[] }) {
  const { common, forms } = useText();
  const words = forms.settings;
  const enforced = enforcedBy(checks);
  return (
    <div className="modes">
      <h2>{words.modes}</h2>
      <dl>
        {(['read-only', 'workspace-write'] as const).map((mode) => (
          <div key={mode} className="mode-row" data-mode={mode} data-enforced={enforced}>
            <dt>{common.modes[mode]}</dt>
            <dd>
              <Tag enforced={enforced} /> {words.modeSays[mode][enforced]}
            </dd>
          </div>
        ))}
        <div className="mode-row" data-mode="danger-full-access">
          <dt>{common.modes['danger-full-access']}</dt>
          <dd>
            <span className="tag danger check-tag">
              <TriangleAlert size={12} aria-hidden="true" /> {words.modesMean.open}
            </span>{' '}
            {words.modeSays['danger-full-access'].open}
          </dd>
        </div>
      </dl>
      <p className="muted">{words.limits}</p>
    </div>
  );
}

type Enforced = 'full' | 'partial' | 'none';

function Tag({ enforced }: { readonly enforced: Enforced }) {
  const { forms } = useText();
  const Icon = enforced === 'none' ? CircleAlert : CircleCheck;
  const colour = { full: 'run', partial: 'wait', none: 'danger' }[enforced];
  return (
    <span className={`tag ${colour} check-tag`}>
      <Icon size={12} aria-hidden="true" /> {forms.settings.modesMean[enforced]}
    </span>
  );
}

/** As the doctor has found it: a confined process started, and whether commands share what a Compartment shares. */
function enforcedBy(checks: readonly Check[]): Enforced {
  const ok = (name: string): boolean => checks.some((check) => check.name === name && check.ok);
  if (!ok('namespaces')) return 'none';
  return ok('shared temp') ? 'full' : 'partial';
}
