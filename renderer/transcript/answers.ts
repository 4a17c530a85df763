import { textOf } from './texts.ts';
import type { EventOf, Row, RowOf, Standing } from './row.ts';

interface Draft {
  readonly seq: number;
  parts: EventOf<'assistant/chunk'>[];
  message?: EventOf<'assistant/message'>;
}

/** What the agent said, an answer of one step each: its parts until the whole is there. */
export class AnswerBook {
  readonly #standing: Standing;
  readonly #drafts = new Map<string, Draft>();
  #last = '';

  constructor(standing: Standing) {
    this.#standing = standing;
  }

  /** Returns the row when this is the first that is heard of it. */
  hear(event: EventOf<'assistant/chunk' | 'assistant/message'>): (() => Row | undefined) | undefined {
    const key = `a${event.data.turn}.${event.data.step}`;
    const known = this.#drafts.get(key);
    const draft = known ?? { seq: event.seq, parts: [] };
    this.#drafts.set(key, draft);
    this.#last = key;
    if (event.type === 'assistant/message') Object.assign(draft, { message: event, parts: [] });
    else if (!draft.message) draft.parts.push(event);
    return known ? undefined : () => this.#finish(key, draft);
  }

  #finish(key: string, { seq, parts, message }: Draft): RowOf<'answer'> | undefined {
    if (message) {
      const { text } = message.data;
      // An answer of calls alone: their cards say it.
      if (textOf(text) === '') return undefined;
      return { kind: 'answer', key, seq, text, streaming: false, events: [message] };
    }
    const text = parts.map(({ data }) => data.text).join('');
    if (text === '') return undefined;
    const streaming = key === this.#last && parts.at(-1)?.data.turn === this.#standing.turn;
    return { kind: 'answer', key, seq, text, streaming, events: parts };
  }
}
