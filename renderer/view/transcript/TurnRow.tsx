import { useLanguage, useText } from '../../text/text.ts';
import { timeOfDay } from '../../transcript/times.ts';
import type { RowOf } from '../../transcript/row.ts';

export function TurnRow({ row: { event } }: { readonly row: RowOf<'turn'> }) {
  const { transcript } = useText();
  const language = useLanguage();
  const at = new Date(event.time);
  return (
    <p className="t-turn">
      {transcript.turn(event.data.turn)}
      <time dateTime={at.toISOString()}>{timeOfDay(at, language)}</time>
    </p>
  );
}
