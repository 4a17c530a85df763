import { memo, useEffect, useMemo, useState, type ReactElement } from 'react';
import { formattedLater, formattedNow } from './formatted.tsx';
import './markdown.css';

/** Markdown as the agent wrote it, plain until it is read. Nothing in it is HTML, and nothing is fetched. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const now = useMemo(() => formattedNow(text), [text]);
  const [later, setLater] = useState<{ readonly text: string; readonly element: ReactElement }>();
  useEffect(() => {
    if (now) return undefined;
    const leaving = new AbortController();
    void formattedLater(text, leaving.signal)
      .then((element) => element && setLater({ text, element }))
      .catch(reportError);
    return () => leaving.abort();
  }, [text, now]);
  const element = now ?? (later?.text === text ? later.element : undefined);
  return element ? <div className="markdown">{element}</div> : <p className="t-prose">{text}</p>;
});
