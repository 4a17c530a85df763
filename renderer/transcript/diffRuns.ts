export interface Run {
  readonly kind: 'head' | 'place' | 'add' | 'del' | 'same';
  /** Whole lines, the line feed of the last one left out. */
  readonly text: string;
}

/** More runs than this are not told apart: a text that changes in every line is read as it is. */
const MOST = 1_200;

/** The lines of a unified diff, neighbours of one kind together. */
export function runsOf(diff: string): readonly Run[] {
  const runs: { kind: Run['kind']; lines: string[] }[] = [];
  let isHead = true;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('@@')) isHead = false;
    const kind = isHead && isFileLine(line) ? 'head' : kindOf(line);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
    if (runs.length > MOST) return [{ kind: 'same', text: diff }];
  }
  return runs.map(({ kind, lines }) => ({ kind, text: lines.join('\n') }));
}

function isFileLine(line: string): boolean {
  return line.startsWith('--- ') || line.startsWith('+++ ');
}

function kindOf(line: string): Run['kind'] {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'add';
  return line.startsWith('-') ? 'del' : 'same';
}
