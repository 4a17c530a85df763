import { useState } from 'react';
import { useText } from '../../text/text.ts';
import type { RowOf } from '../../transcript/row.ts';
import { useRowActions } from './RowContext.ts';

/** What of a damaged log cannot be read, in its place. */
export function GapRow({ row: { from, to, line } }: { readonly row: RowOf<'gap'> }) {
  const { gap } = useText().transcript;
  const missing = to < from ? gap.none : from === to ? gap.one(from) : gap.many(from, to);
  return (
    <div className="t-gap" data-gap={from}>
      <p>
        <b>{missing}</b> {line !== undefined && gap.line(line)}
      </p>
      <p>{gap.after}</p>
    </div>
  );
}

export function ReadOnlyRow({ row: { readOnly } }: { readonly row: RowOf<'read-only'> }) {
  const { readOnly: words } = useText().transcript;
  const { reason, holder } = readOnly;
  return (
    <p className="t-fact">{reason === 'open-elsewhere' ? words[reason](holder ?? words.elsewhere) : words[reason]}</p>
  );
}

/** The log goes on here. Coming near it is enough to load the page; the button is for whoever does not scroll. */
export function PageRow({ kind }: { readonly kind: 'older' | 'newer' }) {
  const { common, transcript } = useText();
  const { loadOlder, loadNewer } = useRowActions();
  const [state, setState] = useState<{ readonly failed?: string; readonly loading: boolean }>({ loading: false });
  const load = async (): Promise<void> => {
    setState({ loading: true });
    try {
      await (kind === 'older' ? loadOlder() : loadNewer());
      setState({ loading: false });
    } catch (fault) {
      setState({ loading: false, failed: fault instanceof Error ? fault.message : String(fault) });
    }
  };
  return (
    <p className="t-page-row">
      <span>{state.failed === undefined ? transcript[kind] : transcript.loadFailed(state.failed)}</span>
      <button type="button" className="link" disabled={state.loading} onClick={() => void load()}>
        {state.loading ? common.loading : kind === 'older' ? transcript.loadOlder : transcript.loadNewer}
      </button>
    </p>
  );
}
