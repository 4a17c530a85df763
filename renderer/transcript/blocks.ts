/** One part of an answer. `code` stands between fences; anything else is Markdown, or too strange to be read as such. */
export interface Block {
  readonly kind: 'markdown' | 'plain';
  readonly text: string;
}

/** Enough to be worth a block of its own: short answers stay in one piece. */
const LEAST = 1_500;
/** More than this is not read as Markdown at once. */
const MOST = 12_000;
/** Lists in lists in quotes: no person writes so, and reading it would take for ever. */
const DEEPEST = 24;

/**
 * An answer in parts that can be read one by one, cut between paragraphs. A part depends only on what stands before its
 * end: all but the last stay as they are while an answer grows.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let size = 0;
  let fence = '';
  const close = (): void => {
    if (lines.length > 0) blocks.push(toBlock(lines.join('\n')));
    [lines, size] = [[], 0];
  };
  for (const line of text.split('\n')) {
    if (fence === '' && size >= LEAST && isCut(lines.at(-1), line)) close();
    // A block that finds no end of its own is cut where it is, outside of code.
    if (fence === '' && size >= MOST) close();
    fence = fenceAfter(fence, line);
    lines.push(line);
    size += line.length + 1;
  }
  close();
  return blocks;
}

function toBlock(text: string): Block {
  return { kind: isStrange(text) ? 'plain' : 'markdown', text };
}

/** A paragraph begins here that belongs to nothing before it. */
function isCut(before: string | undefined, line: string): boolean {
  return before?.trim() === '' && /^[^\s>|*+\-\d[<]/.test(line);
}

function fenceAfter(fence: string, line: string): string {
  const found = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const [mark = '', info = ''] = [found?.[1], found?.[2]];
  if (mark === '') return fence;
  if (fence === '') return mark.startsWith('`') && info.includes('`') ? '' : mark;
  return mark.startsWith(fence) && info.trim() === '' ? '' : fence;
}

function isStrange(text: string): boolean {
  if (text.length > 4 * MOST) return true;
  return text.split('\n').some((line) => {
    const marks = /^(?:\s*(?:>|[-*+]|\d+[.)])\s?)+/.exec(line)?.[0].replaceAll(/\s/g, '') ?? '';
    return marks.length > DEEPEST || (line.match(/[[\]*_`<]/g)?.length ?? 0) > 400;
  });
}
