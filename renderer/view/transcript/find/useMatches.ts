import { useEffect, useRef, useState } from 'react';
import type { Row } from '../../../transcript/row.ts';

/** Work is given back to the window after so long. */
const SLICE_MS = 8;

/**
 * The keys of the rows that say what is looked for, in their order; undefined while they are looked for. Rows may hold
 * megabytes, so it goes a few at a time, and a row that has not changed is not read twice.
 */
export function useMatches(
  rows: readonly Row[],
  query: string,
  test: (row: Row) => boolean,
): readonly string[] | undefined {
  const [found, setFound] = useState<{ readonly query: string; readonly keys: readonly string[] }>();
  const known = useRef({ test, answers: new WeakMap<Row, boolean>() });
  useEffect(() => {
    if (query === '') return undefined;
    if (known.current.test !== test) known.current = { test, answers: new WeakMap() };
    const { answers } = known.current;
    const leaving = new AbortController();
    void look(rows, (row) => remembered(answers, row, test), leaving.signal).then(
      (keys) => keys && setFound({ query, keys }),
    );
    return () => leaving.abort();
  }, [rows, query, test]);
  if (query === '') return NONE;
  // What was found among the rows of a moment ago is shown until the rest is read.
  return found?.query === query ? found.keys : undefined;
}

const NONE: readonly string[] = [];

async function look(
  rows: readonly Row[],
  test: (row: Row) => boolean,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const keys: string[] = [];
  let since = performance.now();
  for (const row of rows) {
    if (test(row)) keys.push(row.key);
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (signal.aborted) return undefined;
    since = performance.now();
  }
  return signal.aborted ? undefined : keys;
}

function remembered(answers: WeakMap<Row, boolean>, row: Row, test: (row: Row) => boolean): boolean {
  const answer = answers.get(row) ?? test(row);
  answers.set(row, answer);
  return answer;
}
