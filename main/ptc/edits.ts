/** One replacement in a program's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits may touch but not overlap; of two at one place the one that was added first comes first. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  let result = '';
  let at = 0;
  for (const edit of sorted) {
    result += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + source.slice(at);
}

/** Stands for what was there without moving what follows on other lines. */
export function padTo(text: string, replaced: string): string {
  return text + '\n'.repeat(replaced.split('\n').length - 1);
}
