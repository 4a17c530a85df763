import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { useMemo } from 'react';
import { useText } from '../../text/text.ts';
import { sentences } from '../../transcript/sentences.ts';
import { changePreset } from './changePreset.ts';
import { exactOf } from './exactRows.ts';
import { ExactText } from './ExactText.tsx';
import { Visible } from './Visible.tsx';

/** Where it runs, our rule, what the agent says for it, and what happens if it is allowed. */
export function Why({ approval }: { readonly approval: PendingApproval }) {
  const { approval: words } = useText();
  const { subject, justification } = approval;
  const folder = 'cwd' in subject ? subject.cwd : undefined;
  return (
    <dl className="approval-why">
      {folder !== undefined && (
        <>
          <dt>{words.folder}</dt>
          <dd>
            <code className="approval-path">
              <Visible text={folder} />
            </code>
          </dd>
        </>
      )}
      <dt>{words.rule}</dt>
      <dd>
        <Rule approval={approval} />{' '}
        <button type="button" className="link" onClick={() => changePreset(approval.sessionId)}>
          {words.changePreset}
        </button>
      </dd>
      {justification !== undefined && (
        <>
          <dt>{words.agentSays}</dt>
          <dd className="muted">
            <Said text={justification} />
          </dd>
        </>
      )}
      <dt>{words.ifAllowed}</dt>
      <dd>
        <Consequence approval={approval} />
      </dd>
    </dl>
  );
}

/** An escalation is said in the language of the window; a rule of another kind as main says it. */
function Rule({ approval: { rule, scope } }: { readonly approval: PendingApproval }) {
  const { approval: words, common } = useText();
  if (!scope.to) return <Visible text={rule} />;
  return <>{words.asksFor(common.modes[scope.from], common.modes[scope.to])}</>;
}

function Consequence({ approval: { subject, scope } }: { readonly approval: PendingApproval }) {
  const { approval: words, common } = useText();
  const runs = subject.kind === 'program' || subject.kind === 'command';
  const limit = runs && scope.to === 'danger-full-access';
  return <>{sentences(words.effect[subject.kind], words.stays(common.modes[scope.from]), limit && words.limit)}</>;
}

/** Of a text that is said in a line or two. */
const SHORT = 240;

/** The agent's own words, quoted: nothing in them is a link or a form. Long ones scroll in a box of their own. */
function Said({ text }: { readonly text: string }) {
  const { approval: words } = useText();
  const exact = useMemo(() => exactOf(text, 'prose'), [text]);
  if (exact.lines === 1 && text.length <= SHORT) {
    return (
      <q className="approval-said">
        <Visible text={text} />
      </q>
    );
  }
  return <ExactText exact={exact} kind="prose" label={words.agentSays} />;
}
