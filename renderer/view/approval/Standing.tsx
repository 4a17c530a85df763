import { useConnection } from '../../store/connection.ts';
import type { Asked } from '../../store/approvals.ts';
import { useText, type Dictionary } from '../../text/text.ts';
import { useAttention } from './attention.ts';

export interface StandingProps {
  readonly asked: Exclude<Asked, { kind: 'ended' }>;
  readonly hint: string;
}

/** Where the answer stands: never more than what is known. */
export function Standing({ asked, hint }: StandingProps) {
  const { approval: words } = useText();
  return (
    <p role="status" className={asked.kind === 'unconfirmed' ? 'approval-trouble' : ''}>
      {said(asked, words) || hint}
    </p>
  );
}

/** Why the buttons do not count yet. Seen, and not read out: it passes by itself. */
export function Readiness() {
  const { approval: words } = useText();
  const here = useAttention((attention) => attention.here);
  const ready = useConnection(({ wire }) => wire.kind === 'ready');
  return <span>{ready ? (here ? words.notArmed : words.notInFront) : words.notConnected}</span>;
}

function said(asked: StandingProps['asked'], words: Dictionary['approval']): string {
  switch (asked.kind) {
    case 'open':
      return '';
    case 'recording':
      return words.recording[asked.decision];
    case 'unconfirmed':
      return `${words.notConfirmed} ${whyNot(asked, words)}`;
  }
}

function whyNot({ trouble }: Extract<Asked, { kind: 'unconfirmed' }>, words: Dictionary['approval']): string {
  if (!trouble) return words.noReply;
  return trouble.kind === 'lost' ? words.lost : trouble.message;
}
