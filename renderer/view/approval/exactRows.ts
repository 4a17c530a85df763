/** How a text is laid out: numbered lines, a unified diff (numbered as well), or what somebody says. */
export type ExactKind = 'code' | 'diff' | 'prose';

export type Row =
  /** A line, or a part of one that is too long to be drawn at once. `sign` is how the line begins. */
  | {
      readonly kind: 'line';
      readonly line: number;
      readonly part: number;
      readonly parts: number;
      readonly sign: string;
      readonly text: string;
    }
  /**
   * Lines with nothing in them, from the first to the last: so many that what follows could be missed. `signs`: what
   * they begin with in a diff, each once.
   */
  | { readonly kind: 'blank'; readonly from: number; readonly to: number; readonly signs: readonly string[] };

export interface Exact {
  readonly rows: readonly Row[];
  readonly lines: number;
  readonly characters: number;
}

/** So many blank lines in a row are a matter of taste; more are said in words, and take one row. */
const BLANK_RUN = 3;
/** UTF-16 units of a line that are drawn in one row. */
const PART = 400;

const BLANK = { code: /^[ \t]*$/, diff: /^[ +-]?[ \t]*$/, prose: /^[ \t]*$/ } as const satisfies Record<
  ExactKind,
  RegExp
>;

/** Every character of the text in the order in which the machine reads them; only blank lines are counted instead. */
export function exactOf(text: string, kind: ExactKind): Exact {
  const lines = linesOf(text);
  const rows: Row[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const run = blankRun(lines, at, BLANK[kind]);
    if (run > BLANK_RUN) rows.push(blankRow(lines, at, { run, kind }));
    else rows.push(...partsOf(line, at + 1));
    at += run > BLANK_RUN ? run : 1;
  }
  return { rows, lines: lines.length, characters: charactersOf(text) };
}

/** A final line break ends the last line and begins none. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** How many lines from here on are blank. Nothing breaks the run that a person would not see. */
function blankRun(lines: readonly string[], from: number, blank: RegExp): number {
  let at = from;
  while (at < lines.length && blank.test(lines[at] ?? '')) at += 1;
  return at - from;
}

function blankRow(lines: readonly string[], at: number, { run, kind }: { run: number; kind: ExactKind }): Row {
  const signs = kind === 'diff' ? new Set(lines.slice(at, at + run).map((line) => line.charAt(0))) : [];
  return { kind: 'blank', from: at + 1, to: at + run, signs: Array.from(signs) };
}

function partsOf(line: string, number: number): readonly Row[] {
  const texts = cut(line);
  const sign = line.charAt(0);
  return texts.map((text, part) => ({ kind: 'line', line: number, part, parts: texts.length, sign, text }));
}

/** No pair is cut in two, so that every part is drawn as it would be in the whole. */
function cut(line: string): readonly string[] {
  if (line.length <= PART) return [line];
  const parts: string[] = [];
  for (let from = 0; from < line.length;) {
    let to = Math.min(from + PART, line.length);
    if (isHigh(line.charCodeAt(to - 1)) && to < line.length) to -= 1;
    parts.push(line.slice(from, to));
    from = to;
  }
  return parts;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    const low = text.charCodeAt(at + 1);
    if (isHigh(text.charCodeAt(at)) && low >= 0xdc00 && low < 0xe000) pairs += 1;
  }
  return text.length - pairs;
}
