/** One change of one file. `from` stands in it exactly as written here; a table that has fallen behind is an error. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The tests that have to notice it. */
export type Watchers =
  /** Playwright: a file below `e2e/`, and words of the titles. */
  | {
      readonly kind: 'journey';
      readonly project: 'standin' | 'browser';
      readonly file: string;
      readonly titles: string;
    }
  /** vitest: a file from the root. */
  | { readonly kind: 'unit'; readonly file: string };

/** Something that a person could break by accident. */
export interface Fault {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly watchers: Watchers;
}

export function standin(file: string, titles: string): Watchers {
  return { kind: 'journey', project: 'standin', file, titles };
}

export function browser(file: string, titles: string): Watchers {
  return { kind: 'journey', project: 'browser', file, titles };
}

export function unit(file: string): Watchers {
  return { kind: 'unit', file };
}
