import { useMemo } from 'react';
import type { SessionId } from '../../../app/base/id.ts';
import type { SessionEvent } from '../../../app/session/events.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { useSending } from './sending.ts';

const NONE: readonly number[] = [];

/** What was said and no step has seen yet, and the message that is being recorded right now. */
export function Queued({ sessionId }: { readonly sessionId: SessionId }) {
  const { composer } = useText();
  const queued = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.queued : NONE));
  const recording = useSending(({ sending }) => {
    const mine = sending.get(sessionId);
    return mine?.kind === 'recording' ? mine.text : undefined;
  });
  if (queued.length === 0 && recording === undefined) return null;
  return (
    <ul className="queued" aria-label={composer.queued}>
      {queued.map((seq) => (
        <QueuedMessage key={seq} seq={seq} />
      ))}
      {recording !== undefined && (
        <li data-queued="recording">
          <span className="clip">{recording}</span>
          <span className="muted" role="status">
            {composer.recording}
          </span>
        </li>
      )}
    </ul>
  );
}

function QueuedMessage({ seq }: { readonly seq: number }) {
  const { common, composer } = useText();
  const events = useOpened(({ opened }) => (opened.kind === 'open' ? opened.events : undefined));
  const isOpen = useOpened(({ opened }) => opened.kind === 'open' && opened.folded.turn !== undefined);
  const said = useMemo(() => events && saidAt(events, seq), [events, seq]);
  return (
    <li data-queued={seq}>
      <span className="clip">{said ?? composer.queuedUnknown}</span>
      <span className="muted">
        {isOpen ? composer.queuedHere : composer.queuedNext} · {common.event(seq)}
      </span>
    </li>
  );
}

const SHOWN = 200;

function saidAt(events: readonly SessionEvent[], seq: number): string | undefined {
  const event = events.findLast((one) => one.seq === seq);
  if (event?.type !== 'user/message') return undefined;
  const { text } = event.data;
  return (typeof text === 'string' ? text : text.text).slice(0, SHOWN).toWellFormed();
}
