import { useMemo } from 'react';
import { useConnection } from '../../store/connection.ts';
import { useSessions } from '../../store/sessions.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { enterSession } from '../forms/enterSession.ts';
import { shortPath } from '../header/names.ts';
import { COMMANDS, COMMAND_NAMES, keysFor } from '../shortcuts/commands.ts';

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly keys: string;
  readonly run: () => void;
}

const MOST = 50;

/** Commands first, then Sessions, the latest first; those whose name has every word of the query. */
export function useEntries(query: string): readonly Entry[] {
  const { palette, common } = useText();
  const rows = useSessions((state) => state.rows);
  const home = useConnection((state) => state.host?.userHome);
  const chosen = useSettings((state) => state.window.shortcuts);
  return useMemo(() => {
    const commands = COMMAND_NAMES.filter((name) => name !== 'palette').map((name) => ({
      id: name,
      name: palette.commands[name],
      detail: '',
      keys: keysFor(name, chosen),
      run: COMMANDS[name].run,
    }));
    const sessions = Array.from(rows.values())
      .toSorted((a, b) => b.updated - a.updated)
      .map(({ sessionId, title, workspace }) => ({
        id: sessionId,
        name: title || common.untitled,
        detail: shortPath(workspace, home),
        keys: '',
        run: () => enterSession(sessionId),
      }));
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return [...commands, ...sessions].filter((entry) => has(entry, words)).slice(0, MOST);
  }, [palette, common, rows, home, chosen, query]);
}

function has({ name, detail }: Entry, words: readonly string[]): boolean {
  const text = `${name} ${detail}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
