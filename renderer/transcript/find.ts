import type { Json } from '../../app/base/json.ts';
import type { Dictionary } from '../text/text.ts';
import { headOf } from './card/head.ts';
import { partsOf } from './emphasis.ts';
import { factText } from './factText.ts';
import type { Call, Row } from './row.ts';
import type { Names } from './sentences.ts';
import { textOf } from './texts.ts';

/** Where the words of a row come from. */
export interface Wording {
  readonly dictionary: Dictionary;
  readonly names: Names;
}

/** Whether a row says `query`, in what is shown or in what it shows when it is opened. `query` is in lower case. */
export function says(row: Row, query: string, wording: Wording): boolean {
  return textsOf(row, wording).some((text) => text.toLowerCase().includes(query));
}

/** Whether it is only said inside the card. */
export function isInside(row: Row, query: string, { dictionary }: Wording): boolean {
  if (row.kind !== 'card') return false;
  const { tool, what } = headOf(row.call, dictionary);
  return !`${tool} ${what}`.toLowerCase().includes(query);
}

function textsOf(row: Row, { dictionary, names }: Wording): readonly string[] {
  switch (row.kind) {
    case 'turn':
      return [dictionary.transcript.turn(row.event.data.turn)];
    case 'said':
      return [textOf(row.event.data.text)];
    case 'answer':
      return [textOf(row.text)];
    case 'fact':
      return [spoken(factText(row.fact, dictionary, names).text)];
    case 'card':
      return textsOfCall(row.call, dictionary);
    default:
      return [];
  }
}

function textsOfCall(call: Call, dictionary: Dictionary): readonly string[] {
  const { tool, what } = headOf(call, dictionary);
  const result = call.result?.data;
  return [
    `${tool} ${what}`,
    ...leaves(call.asked?.data.input ?? null),
    ...(result ? [result.content, result.logs?.text ?? '', result.facts?.output.text ?? ''] : []),
    ...leaves(result?.value ?? null),
    ...call.nested.flatMap((inner) => textsOfCall(inner, dictionary)),
  ];
}

function leaves(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => leaves(item as Json)); // Members and items of JSON are JSON.
}

function spoken(sentence: string): string {
  return partsOf(sentence)
    .map(({ text }) => text)
    .join('');
}
