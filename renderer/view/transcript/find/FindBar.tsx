import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useText } from '../../../text/text.ts';
import type { Find } from './useFind.ts';

interface FindBarProps {
  readonly find: Find;
  /** The log goes on before what is here. */
  readonly hasOlder: boolean;
  readonly loadOlder: () => Promise<void>;
}

export function FindBar({ find, hasOlder, loadOlder }: FindBarProps) {
  const { common, transcript } = useText();
  const { find: words } = transcript;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') find.close();
    else if (event.key === 'Enter') find.step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
  };
  return (
    <div className="t-find" role="search" aria-label={words.label} onKeyDown={onKeyDown}>
      <input
        ref={field}
        id="transcript-find"
        className="field t-find-field"
        aria-label={words.label}
        placeholder={words.placeholder}
        value={find.query ?? ''}
        onChange={(event) => find.setQuery(event.target.value)}
      />
      <span className="t-find-count" role="status">
        {find.query === '' ? '' : countOf(find, words)}
      </span>
      <button type="button" className="button icon" onClick={() => find.step(-1)}>
        <ChevronUp size={14} aria-hidden />
        {words.previous}
      </button>
      <button type="button" className="button icon" onClick={() => find.step(1)}>
        <ChevronDown size={14} aria-hidden />
        {words.next}
      </button>
      <button type="button" className="button plain icon" onClick={find.close}>
        <X size={14} aria-hidden />
        {common.close}
      </button>
      {hasOlder && <Older loadOlder={loadOlder} />}
    </div>
  );
}

function countOf({ count, at }: Find, words: ReturnType<typeof useText>['transcript']['find']): string {
  if (count === undefined) return words.searching;
  return count === 0 ? words.none : words.count(at, count);
}

function Older({ loadOlder }: Pick<FindBarProps, 'loadOlder'>) {
  const { common, transcript } = useText();
  const [loading, setLoading] = useState(false);
  const load = (): void => {
    setLoading(true);
    loadOlder()
      .catch(reportError)
      .finally(() => setLoading(false));
  };
  return (
    <p className="t-find-older">
      {transcript.find.onlyLoaded}{' '}
      <button type="button" className="link" disabled={loading} onClick={load}>
        {loading ? common.loading : transcript.loadOlder}
      </button>
    </p>
  );
}
