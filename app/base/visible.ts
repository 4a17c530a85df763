/** A stretch of a text as it is, or one character that would not be seen, drawn as an escape. */
export interface Piece {
  readonly kind: 'text' | 'escape';
  readonly text: string;
}

/**
 * Every character that is not seen, moves others, or looks like something else: control, format, bidirectional, tag and
 * ignorable characters, line and paragraph separators, lone surrogates, every space but U+0020, and three that are drawn
 * blank. Also those of emoji sequences: what a person decides by shows each of its characters.
 */
const UNSEEN_CLASS = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}]`;
const UNSEEN = new RegExp(`[${UNSEEN_CLASS}--[ ]]`, 'gv');
/** In code, tabs and line breaks are part of the layout. */
const UNSEEN_IN_CODE = new RegExp(`[${UNSEEN_CLASS}--[ \\t\\n]]`, 'gv');

/** Text that has no lines, such as a title or a path: line breaks and tabs are drawn too. */
export function visiblePieces(text: string): readonly Piece[] {
  return piecesOf(text, UNSEEN);
}

/** A line, or a part of one, of a text whose line breaks and tabs mean something. */
export function visibleLine(line: string): readonly Piece[] {
  return piecesOf(line, UNSEEN_IN_CODE);
}

/** For where no element can be drawn: labels, announcements, notifications, the title of the window. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escapeOf);
}

export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

/** As `hasUnseen`, of a text with lines. */
export function hasUnseenInLines(text: string): boolean {
  return text.search(UNSEEN_IN_CODE) >= 0;
}

function piecesOf(text: string, unseen: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
    pieces.push({ kind: 'escape', text: escapeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `⟨U+${hex}⟩`;
}
