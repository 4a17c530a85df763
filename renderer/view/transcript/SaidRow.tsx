import { useText } from '../../text/text.ts';
import type { RowOf } from '../../transcript/row.ts';
import { PagedText } from './text/PagedText.tsx';

/** What a person, or whoever else may, has said to the agent. */
export function SaidRow({ row: { event, waits } }: { readonly row: RowOf<'said'> }) {
  const { transcript } = useText();
  const { text, origin } = event.data;
  return (
    <div className="t-said" data-waits={waits || undefined}>
      <span className="heard">{transcript.origins[origin]}</span>
      {origin !== 'person' && <p className="t-said-origin">{transcript.origins[origin]}</p>}
      <PagedText text={text} side="head" kind="prose" />
      {waits && (
        <p className="t-said-state">
          <span className="tag wait" title={transcript.queuedMeans}>
            {transcript.queued}
          </span>
        </p>
      )}
    </div>
  );
}
