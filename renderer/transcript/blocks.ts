/** One part of an answer. `plain`: too strange to be read as Markdown. */
export interface Block {
  readonly kind: 'markdown' | 'plain';
  readonly text: string;
}

/** Enough to be worth a block of its own: short answers stay in one piece. */
const LEAST = 1_500;
/** More than this is not read at once, wherever it ends: a list of a thousand lines would hold up the window. */
const MOST = 4_000;
const MOST_LINES = 150;
/** Of what cannot be cut, such as code between fences. */
const LONGEST = 48_000;
/** Lists in lists in quotes: no person writes so, and reading it would take for ever. */
const DEEPEST = 24;
const MARKS_IN_A_LINE = 200;

/**
 * An answer in parts that can be read one by one, cut between paragraphs where that can be. A part depends only on what
 * stands before its end: all but the last stay as they are while an answer grows.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let block = new Draft();
  for (const line of text.split('\n')) {
    if (block.endsBefore(line)) {
      blocks.push(block.finish());
      block = block.next(line);
    }
    block.add(line);
  }
  return [...blocks, block.finish()];
}

class Draft {
  readonly #lines: string[];
  #size = 0;
  #fence = '';
  /** The names of the columns and the line below them, while the lines of a table come. */
  #table: readonly string[] = [];

  constructor(lines: readonly string[] = []) {
    this.#lines = [...lines];
  }

  endsBefore(line: string): boolean {
    if (this.#fence !== '') return false;
    return (
      this.#size >= MOST ||
      this.#lines.length >= MOST_LINES ||
      (this.#size >= LEAST && beginsAnew(this.#lines.at(-1), line))
    );
  }

  /** The block behind this one: a table that goes on there has its columns named again. */
  next(line: string): Draft {
    const next = new Draft(line.includes('|') ? this.#table : []);
    next.#table = next.#lines.length > 0 ? this.#table : [];
    return next;
  }

  add(line: string): void {
    const before = this.#lines.at(-1);
    if (line.trim() === '') this.#table = [];
    else if (this.#fence === '' && before?.includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(line))
      this.#table = [before, line];
    this.#fence = fenceAfter(this.#fence, line);
    this.#lines.push(line);
    this.#size += line.length + 1;
  }

  finish(): Block {
    const text = this.#lines.join('\n');
    return { kind: isStrange(text, this.#lines) ? 'plain' : 'markdown', text };
  }
}

/** A paragraph begins here that belongs to nothing before it. */
function beginsAnew(before: string | undefined, line: string): boolean {
  return before?.trim() === '' && /^[^\s>|*+\-\d[<]/.test(line);
}

function fenceAfter(fence: string, line: string): string {
  const found = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const [mark = '', info = ''] = [found?.[1], found?.[2]];
  if (mark === '') return fence;
  if (fence === '') return mark.startsWith('`') && info.includes('`') ? '' : mark;
  return mark.startsWith(fence) && info.trim() === '' ? '' : fence;
}

function isStrange(text: string, lines: readonly string[]): boolean {
  return text.length > LONGEST || lines.some((line) => depthOf(line) > DEEPEST || marksIn(line) > MARKS_IN_A_LINE);
}

function depthOf(line: string): number {
  return /^(?:\s*(?:>|[-*+]|\d+[.)])\s?)+/.exec(line)?.[0].replaceAll(/\s/g, '').length ?? 0;
}

function marksIn(line: string): number {
  return line.match(/[[\]*_`<]/g)?.length ?? 0;
}
