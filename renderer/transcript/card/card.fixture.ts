import type { SessionDraft } from '../../../app/session/events.ts';
import type { Facts } from '../../../app/sandbox/facts.ts';
import { whole } from '../../../app/base/text.ts';
import { log, said, standingOf, turnStart } from '../log.fixture.ts';
import type { Call } from '../row.ts';
import { rowsOf } from '../rows.ts';

/** The one card that these events make, within an open turn. */
export function callOf(...drafts: readonly SessionDraft[]): Call {
  const events = log([said('Do it'), turnStart(1, 0), ...drafts]);
  const [card, other] = rowsOf(events, standingOf(events)).flatMap((row) => (row.kind === 'card' ? [row.call] : []));
  if (!card || other) throw new Error('These events make more or less than one card');
  return card;
}

export function facts(output: string, also: Partial<Facts> = {}): Facts {
  return {
    exitCode: 0,
    signal: null,
    timedOut: false,
    cancelled: false,
    left: 0,
    durationMs: 1_900,
    output: whole(output),
    ...also,
  };
}
