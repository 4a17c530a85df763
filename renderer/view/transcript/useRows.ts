import { useMemo, useState } from 'react';
import type { OpenSession } from '../../store/opened.ts';
import type { Row, Standing } from '../../transcript/row.ts';
import { rowsOf } from '../../transcript/rows.ts';

/** The rows of what is held of a Session. A row that has not changed is the same object as before. */
export function useRows(open: OpenSession): readonly Row[] {
  const [kept] = useState(() => new KeptRows());
  return useMemo(() => kept.take(open), [kept, open]);
}

class KeptRows {
  #rows: readonly Row[] = [];

  take(open: OpenSession): readonly Row[] {
    this.#rows = rowsOf(open.events, standingIn(open), this.#rows);
    return this.#rows;
  }
}

function standingIn({ folded, first, end, length, gaps, readOnly }: OpenSession): Standing {
  const { turn, queued, approvals, cleanups } = folded;
  return {
    queued,
    approvals,
    cleanups,
    first,
    end,
    length,
    gaps,
    ...(turn !== undefined && { turn }),
    ...(readOnly && { readOnly }),
  };
}
