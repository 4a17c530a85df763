import { useMemo } from 'react';
import { usePolicy } from '../../store/policy.ts';
import { useSessions } from '../../store/sessions.ts';
import type { Names } from '../../transcript/sentences.ts';

/** What presets and Sessions are called. A preset that the table no longer has keeps the name of the log. */
export function useNames(): Names {
  const presets = usePolicy((state) => state.presets);
  return useMemo(
    () => ({
      preset: (name) => presets.find((preset) => preset.name === name)?.label ?? name,
      // Only ever told of a parent, whose title is as old as the row itself.
      session: (id) => useSessions.getState().rows.get(id)?.title,
    }),
    [presets],
  );
}
