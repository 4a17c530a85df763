import { useText } from '../../../text/text.ts';
import { isLive, tagsOf } from '../../../transcript/card/tags.ts';
import type { Call } from '../../../transcript/row.ts';
import { useNow } from '../../controls/useNow.ts';

/** The words at the right of a call. Only those of a call that still goes on move with the clock. */
export function Tags({ call }: { readonly call: Call }) {
  return isLive(call) ? <MovingTags call={call} /> : <TagList call={call} now={0} />;
}

function MovingTags({ call }: { readonly call: Call }) {
  return <TagList call={call} now={useNow()} />;
}

function TagList({ call, now }: { readonly call: Call; readonly now: number }) {
  const dictionary = useText();
  return (
    <span className="t-tags">
      {tagsOf(call, dictionary, now).map(({ key, tone, text, title }) => (
        <span key={key} className={`tag ${tone}`} data-tag={key} title={title}>
          {text}
        </span>
      ))}
    </span>
  );
}
