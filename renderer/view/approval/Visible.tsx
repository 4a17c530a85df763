import { Fragment } from 'react';
import { visibleLine, visiblePieces, type Piece } from '../../../app/base/visible.ts';

/** A text without lines that others wrote: a title, a path, a name. What would not be seen is drawn as an escape. */
export function Visible({ text }: { readonly text: string }) {
  return <Pieces pieces={visiblePieces(text)} />;
}

/** A line, or a part of one, of a text with lines. */
export function VisibleLine({ text }: { readonly text: string }) {
  return <Pieces pieces={visibleLine(text)} />;
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, at) => {
    // A piece has no name but its place, and the text is drawn anew as a whole.
    if (piece.kind === 'text') return <Fragment key={at}>{piece.text}</Fragment>;
    return (
      <span key={at} className="unseen">
        {piece.text}
      </span>
    );
  });
}
