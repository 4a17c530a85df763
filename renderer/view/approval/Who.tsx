import { Fragment, useEffect } from 'react';
import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { loadRun, useApprovals } from '../../store/approvals.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { ago } from '../../text/time.ts';
import { useNow } from '../controls/useNow.ts';
import { agentName } from '../header/names.ts';
import { Visible } from './Visible.tsx';

/** Who asks: the Session below those it comes from, its agent and turn, and for how long. */
export function Who({ approval }: { readonly approval: PendingApproval }) {
  const { agent, turn } = useRun(approval);
  const dictionary = useText();
  return (
    <p className="approval-who">
      <Lineage approval={approval} />
      {agent !== undefined && (
        <>
          {' · '}
          <Visible text={agentName(agent, dictionary)} />
        </>
      )}
      {turn !== undefined && ` · ${dictionary.approval.turn(turn)}`}
      {' · '}
      <Waits since={approval.asked} />
    </p>
  );
}

export function Lineage({ approval: { lineage } }: { readonly approval: PendingApproval }) {
  const { common } = useText();
  return lineage.map(({ sessionId, title }, at) => (
    <Fragment key={sessionId}>
      {at > 0 && ' › '}
      <Visible text={title || common.untitled} />
    </Fragment>
  ));
}

/** By itself, since it alone changes every second. */
function Waits({ since }: { readonly since: number }) {
  const now = useNow();
  const dictionary = useText();
  const passed = ago(since, now, dictionary);
  const { approval, common } = dictionary;
  return <>{passed === common.ago.now ? approval.justAsked : approval.waits(passed)}</>;
}

function useRun(approval: PendingApproval) {
  const { approvalId, sessionId } = approval;
  const shown = useOpened(({ opened }) => opened.kind !== 'none' && opened.sessionId === sessionId);
  const agent = useOpened(({ opened }) => (opened.kind === 'open' ? opened.header.agent : undefined));
  const turn = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.turn : undefined));
  const loaded = useApprovals(({ runs }) => runs.get(approvalId));
  useEffect(() => {
    // Without it the dialog says a little less; nothing a person decides by is missing.
    if (!shown && !loaded) void loadRun(approval).catch(reportError);
  }, [shown, loaded, approval]);
  return shown ? { agent, turn } : (loaded ?? {});
}
