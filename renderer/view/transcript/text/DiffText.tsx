import { useMemo } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { useText } from '../../../text/text.ts';
import { runsOf } from '../../../transcript/diffRuns.ts';
import { hasEarlier, hasLater } from '../../../transcript/pages.ts';
import { escaped } from '../../../transcript/terminal.ts';
import { More } from './PagedText.tsx';
import { usePages } from './usePages.ts';

/** A unified diff; neighbouring lines of one kind are one element. */
export function DiffText({ text }: { readonly text: string | Text }) {
  const { transcript } = useText();
  const paged = usePages(text, 'head');
  const { pieces } = paged.pages;
  const runs = useMemo(() => runsOf(escaped(pieces.map((piece) => piece.text).join(''))), [pieces]);
  return (
    <>
      {hasEarlier(paged.pages) && <More paged={paged} side="head" first="head" />}
      <pre className="t-code t-diff" tabIndex={0} role="group" aria-label={transcript.sections.diff}>
        {runs.map(({ kind, text: lines }, index) => (
          // A run has no name but its place.
          <span key={index} className={`t-diff-${kind}`}>
            {lines}
          </span>
        ))}
      </pre>
      {hasLater(paged.pages) && <More paged={paged} side="tail" first="head" />}
      {paged.failed !== undefined && <p role="status">{paged.failed}</p>}
    </>
  );
}
