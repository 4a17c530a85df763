import type { EventOf, PolicyFact, Row } from './row.ts';

type PolicyEvent = EventOf<'permission/preset' | 'sandbox/mode' | 'approval/policy'>;

interface Draft {
  readonly seq: number;
  readonly source: string | undefined;
  readonly was: PolicyFact['was'];
  last: number;
  preset?: EventOf<'permission/preset'>;
  mode?: EventOf<'sandbox/mode'>;
  policy?: EventOf<'approval/policy'>;
  readonly ending: EventOf<'cleanup/asked'>[];
}

/** What was chosen, and what that has ended. */
export class PolicyBook {
  readonly #byEvent = new Map<number, Draft>();
  #was: PolicyFact['was'] = {};
  #open: Draft | undefined;

  /** Returns the row when this event begins one. */
  hear(event: PolicyEvent): (() => Row) | undefined {
    const open = this.#open;
    const joins = open !== undefined && belongs(open, event);
    const draft = joins ? open : this.#begin(event);
    draft.last = event.seq;
    this.#byEvent.set(event.seq, draft);
    this.#put(draft, event);
    return joins ? undefined : () => rowOf(draft);
  }

  /** An ending that names one of these as its cause. */
  end(event: EventOf<'cleanup/asked'>): void {
    const { seq } = event.data.cause;
    if (seq !== undefined) this.#byEvent.get(seq)?.ending.push(event);
  }

  #begin({ seq, data: { source } }: PolicyEvent): Draft {
    this.#open = { seq, last: seq, source, was: this.#was, ending: [] };
    return this.#open;
  }

  #put(draft: Draft, event: PolicyEvent): void {
    switch (event.type) {
      case 'permission/preset':
        draft.preset = event;
        this.#was = { ...this.#was, preset: event.data.preset };
        break;
      case 'sandbox/mode':
        draft.mode = event;
        this.#was = { ...this.#was, mode: event.data.mode };
        break;
      case 'approval/policy':
        draft.policy = event;
        this.#was = { ...this.#was, policy: event.data.policy };
        break;
    }
  }
}

/** One selection is recorded without anything between: the preset first, then what it sets (policy.md). */
function belongs(draft: Draft, event: PolicyEvent): boolean {
  if (event.seq !== draft.last + 1 || event.type === 'permission/preset') return false;
  if (event.type === 'sandbox/mode' ? draft.mode || draft.policy : draft.policy) return false;
  const { source } = event.data;
  // Set directly it is a selection of its own.
  if (source === undefined || source === 'direct') return false;
  if (source !== draft.source) return source === 'preset' && draft.preset !== undefined;
  return draft.preset !== undefined || source === 'preset' || source === 'delegation';
}

function rowOf({ seq, preset, mode, policy, was, ending }: Draft): Row {
  const events = { ...(preset && { preset }), ...(mode && { mode }), ...(policy && { policy }) };
  return { kind: 'fact', key: `e${seq}`, seq, fact: { kind: 'policy', ...events, was, ending } };
}
