import { useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { Edit } from './edit.ts';
import { save, type Saved } from './save.ts';

export interface Saving {
  /** Why the last edit is not in the file, where a dialog has not said so. */
  readonly trouble: string | undefined;
  readonly run: (edit: Edit, then?: (saved: Saved) => void) => void;
}

export function useSave(): Saving {
  const [trouble, setTrouble] = useState<string>();
  const run: Saving['run'] = (edit, then) => {
    setTrouble(undefined);
    save(edit).then(then, (fault: unknown) => setTrouble(messageOf(fault)));
  };
  return { trouble, run };
}
