import { Square } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import { request } from '../../api.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { isStopping } from './turn.ts';

/** There while a turn is open; "Stopping…" until the log says that it has ended. */
export function StopButton({ sessionId }: { readonly sessionId: SessionId }) {
  const { shell } = useText();
  const turn = useOpened(({ opened }) => (opened.kind === 'open' && !opened.readOnly ? opened.folded.turn : undefined));
  const stopping = useOpened(
    ({ opened }) => opened.kind === 'open' && turn !== undefined && isStopping(opened.events, turn),
  );
  const [asked, setAsked] = useState<{ readonly turn: number; readonly refused?: string }>();
  if (turn === undefined) return null;
  const mine = asked?.turn === turn ? asked : undefined;
  const busy = stopping || (mine !== undefined && mine.refused === undefined);
  const stop = (): void => {
    if (busy) return;
    setAsked({ turn });
    request('session.stop', { sessionId }).catch((fault: unknown) => setAsked({ turn, refused: messageOf(fault) }));
  };
  return (
    <>
      {mine?.refused !== undefined && (
        <span role="alert" className="chip danger">
          {shell.stopFailed(mine.refused)}
        </span>
      )}
      <button type="button" id="stop" className="button" aria-disabled={busy} onClick={stop}>
        <Square size={14} aria-hidden="true" />
        {busy ? shell.stopping : shell.stop}
      </button>
    </>
  );
}
