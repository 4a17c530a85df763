import { lossless, LosslessError } from '../base/json.ts';
import { KNOWN_TYPES, type SessionDraft, type SessionEvent } from './events.ts';

/** A seed that is no log. `index` is the place in the list. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly index: number;
  constructor(index: number, reason: string, options?: { cause?: unknown }) {
    super(`Seed event ${index} ${reason}`, options);
    this.index = index;
  }
}

/** Copies and freezes a seed. Throws a SeedError unless its events are numbered from 0 without a gap (sessions.md). */
export function checkSeed(seed: readonly unknown[]): readonly SessionEvent[] {
  return seed.map((value, index) => checkEvent(value, index));
}

/** What a constructor appends: the marker that closes a seed, unless it is the last event already. */
export function endOfSeed(last: SessionEvent | SessionDraft | undefined): readonly SessionDraft[] {
  return last?.type === 'session/end-seed' ? [] : [{ type: 'session/end-seed', data: {} }];
}

export type ForkPrefix =
  | { readonly kind: 'prefix'; readonly events: readonly SessionEvent[] }
  | { readonly kind: 'refused'; readonly code: 'open-turn' | 'no-boundary'; readonly message: string };

/** The events up to and including `atSeq`, when no turn is open there. An open turn is refused, never clipped. */
export function forkPrefix(events: readonly SessionEvent[], atSeq: number): ForkPrefix {
  if (!Number.isInteger(atSeq) || atSeq < 0 || atSeq >= events.length) {
    return { kind: 'refused', code: 'no-boundary', message: `There is no event ${atSeq}` };
  }
  const prefix = events.slice(0, atSeq + 1);
  const last = prefix.findLast(
    ({ type }) => type === 'turn/start' || type === 'turn/end' || type === 'session/end-seed',
  );
  if (last?.type !== 'turn/start') return { kind: 'prefix', events: prefix };
  return { kind: 'refused', code: 'open-turn', message: `Event ${atSeq} is inside turn ${last.data.turn}` };
}

function checkEvent(value: unknown, index: number): SessionEvent {
  let event;
  try {
    event = lossless(value, `[${index}]`);
  } catch (fault) {
    if (fault instanceof LosslessError)
      throw new SeedError(index, `is not lossless JSON: ${fault.message}`, { cause: fault });
    throw fault;
  }
  if (typeof event !== 'object' || event === null || !('type' in event)) throw new SeedError(index, 'is no event');
  const { type, seq, time, data, ignorable } = event;
  if (seq !== index) throw new SeedError(index, `has the seq ${JSON.stringify(seq)}`);
  if (typeof type !== 'string' || !(KNOWN_TYPES.has(type) || ignorable === true)) {
    throw new SeedError(index, `has the unknown type ${JSON.stringify(type)}`);
  }
  if (typeof time !== 'number' || typeof data !== 'object' || data === null) throw new SeedError(index, 'is no event');
  return event as unknown as SessionEvent; // Its own program wrote it; the envelope was checked above.
}
