import { useMemo } from 'react';
import { usePolicy } from '../../store/policy.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import type { Names } from '../../transcript/sentences.ts';
import { labelOf } from '../policy/presets.ts';

/** What presets and Sessions are called. A preset that the table no longer has keeps the name of the log. */
export function useNames(): Names {
  const presets = usePolicy((state) => state.presets);
  const dictionary = useText();
  return useMemo(
    () => ({
      preset: (name) => labelOf(name, presets, dictionary),
      // Only ever told of a parent, whose title is as old as the row itself.
      session: (id) => useSessions.getState().rows.get(id)?.title,
    }),
    [presets, dictionary],
  );
}
