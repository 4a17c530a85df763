import { memo, useEffect, useState } from 'react';
import { languageNamed } from '../../../transcript/languages.ts';
import type { Stretch } from './highlight.ts';
import './code.css';

interface HighlightedProps {
  readonly code: string;
  readonly language?: string;
}

/** Longer code stays plain: its colours would cost more than they help. */
const LONGEST = 8 * 1024;

/** Code in colours as soon as they are known, plain until then and where its language is not known. */
export const Highlighted = memo(function Highlighted({ code, language }: HighlightedProps) {
  const [found, setFound] = useState<{ readonly code: string; readonly stretches: readonly Stretch[] }>();
  const named = language === undefined || code.length > LONGEST ? undefined : languageNamed(language);
  useEffect(() => {
    if (named === undefined) return undefined;
    const leaving = new AbortController();
    void import('./highlight.ts')
      .then(({ highlight }) => highlight(code, named, leaving.signal))
      .then((stretches) => stretches && setFound({ code, stretches }))
      .catch(reportError);
    return () => leaving.abort();
  }, [code, named]);
  if (found?.code !== code) return code;
  return found.stretches.map(({ text, kind }, index) => {
    // A stretch has no name but its place; other code is other stretches.
    if (kind === undefined) return text;
    return (
      <span key={index} className={`t-code-${kind}`}>
        {text}
      </span>
    );
  });
});
