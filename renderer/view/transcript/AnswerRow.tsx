import { Component, lazy, Suspense, useMemo, type ReactNode } from 'react';
import { useText } from '../../text/text.ts';
import { blocksOf } from '../../transcript/blocks.ts';
import type { RowOf } from '../../transcript/row.ts';
import { PagedText } from './text/PagedText.tsx';

const Markdown = lazy(async () => ({ default: (await import('./text/Markdown.tsx')).Markdown }));

/** Of an answer that is still growing only the end is drawn; more of it than this nobody reads meanwhile. */
const STREAMED = 16 * 1024;

/** What the agent said. A long one that the log keeps beside itself is shown as plain text, a page at a time. */
export function AnswerRow({ row: { text, streaming } }: { readonly row: RowOf<'answer'> }) {
  const { transcript } = useText();
  return (
    <div className="t-answer" aria-busy={streaming}>
      <span className="heard">{transcript.agent}</span>
      {typeof text === 'string' ? (
        <Blocks text={text} streaming={streaming} />
      ) : (
        <PagedText text={text} side="head" kind="prose" />
      )}
      {streaming && <span className="t-answer-cursor" aria-label={transcript.streaming} role="img" />}
    </div>
  );
}

/** Parts are read as Markdown one by one; the last one of a growing answer when it is over. */
function Blocks({ text, streaming }: { readonly text: string; readonly streaming: boolean }) {
  const shown = streaming && text.length > STREAMED ? text.slice(-STREAMED).toWellFormed() : text;
  const blocks = useMemo(() => blocksOf(shown), [shown]);
  return blocks.map((block, index) => {
    const plain = <p className="t-prose">{block.text}</p>;
    const isGrowing = streaming && index === blocks.length - 1;
    // A block has no name but its place, and keeps both.
    if (block.kind === 'plain' || isGrowing || shown !== text) return <Plain key={index}>{plain}</Plain>;
    return (
      <Readable key={index} fallback={plain}>
        <Suspense fallback={plain}>
          <Markdown text={block.text} />
        </Suspense>
      </Readable>
    );
  });
}

function Plain({ children }: { readonly children: ReactNode }) {
  return children;
}

interface ReadableProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** What cannot be read as Markdown is shown as it came: an answer is never lost for its form. */
class Readable extends Component<ReadableProps, { readonly broken: boolean }> {
  override readonly state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
