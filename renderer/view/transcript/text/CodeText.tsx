import { useMemo } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { endOf, hasEarlier, hasLater, startOf } from '../../../transcript/pages.ts';
import { escaped } from '../../../transcript/terminal.ts';
import { More } from './PagedText.tsx';
import { Highlighted } from './Highlighted.tsx';
import { usePages } from './usePages.ts';

interface CodeTextProps {
  readonly text: string | Text;
  readonly label: string;
  readonly language?: string;
}

/** Code with the numbers of its lines, from its beginning. Long lines do not wrap: a line is a line. */
export function CodeText({ text, label, language }: CodeTextProps) {
  const paged = usePages(text, 'head');
  const { pieces } = paged.pages;
  const code = useMemo(() => escaped(pieces.map((piece) => piece.text).join('')).replace(/\n$/, ''), [pieces]);
  // Without its beginning nobody knows which line it is.
  const isNumbered = startOf(paged.pages) === 0;
  return (
    <>
      {hasEarlier(paged.pages) && <More paged={paged} side="head" first="head" />}
      <pre className="t-code" tabIndex={0} role="group" aria-label={label} data-end={endOf(paged.pages)}>
        {isNumbered && <Numbers code={code} />}
        <code>
          <Highlighted code={code} {...(language !== undefined && { language })} />
        </code>
      </pre>
      {hasLater(paged.pages) && <More paged={paged} side="tail" first="head" />}
      {paged.failed !== undefined && <p role="status">{paged.failed}</p>}
    </>
  );
}

/** One text for all numbers: however long the code is, it takes one element. */
function Numbers({ code }: { readonly code: string }) {
  const numbers = useMemo(() => {
    const lines = code.split('\n').length;
    return Array.from({ length: lines }, (_, index) => index + 1).join('\n');
  }, [code]);
  return (
    <span className="t-code-numbers" aria-hidden="true">
      {numbers}
    </span>
  );
}
