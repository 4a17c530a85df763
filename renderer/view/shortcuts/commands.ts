import { closeDrawer, go, openDrawer, togglePalette, usePlace, type Drawer } from '../../store/place.ts';
import { focusApproval } from '../approval/focusApproval.ts';
import { parseKeys } from './keys.ts';
import { cycleRegion } from './regions.ts';

/** Everything that has keys of its own or stands in the palette. */
export const COMMANDS = {
  palette: { keys: 'Mod+K', run: () => togglePalette(!usePlace.getState().palette) },
  approval: { keys: 'Mod+Shift+A', run: focusApproval },
  newSession: { keys: 'Mod+Shift+O', run: () => go({ kind: 'new' }) },
  search: { keys: 'Mod+Shift+F', run: () => focusOn('session-search') },
  composer: { keys: 'Mod+/', run: () => focusOn('composer') },
  preset: { keys: 'Mod+Shift+P', run: () => focusOn('preset-select') },
  stop: { keys: 'Mod+.', run: stop },
  nextRegion: { keys: 'F6', run: () => cycleRegion(1) },
  previousRegion: { keys: 'Shift+F6', run: () => cycleRegion(-1) },
  cleanup: { keys: 'Mod+Shift+L', run: () => toggle('cleanup') },
  environments: { keys: 'Mod+Shift+E', run: () => toggle('environments') },
  jobs: { keys: '', run: () => toggle('jobs') },
  proof: { keys: '', run: () => toggle('proof') },
  approvals: { keys: '', run: () => go({ kind: 'approvals' }) },
  allCleanups: { keys: '', run: () => go({ kind: 'cleanup' }) },
  settings: { keys: 'Mod+,', run: () => go({ kind: 'settings' }) },
  welcome: { keys: '', run: () => go({ kind: 'welcome' }) },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

interface Command {
  /** What it has when a person has chosen nothing else; empty: none. */
  readonly keys: string;
  readonly run: () => void;
}

// `Object.keys` says string; the table is closed.
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** The keys in force: a person's own, else ours. Keys that nobody can press, written by hand, count as none. */
export function keysFor(name: CommandName, chosen: Readonly<Record<string, string>>): string {
  const own = chosen[name];
  return own !== undefined && parseKeys(own) ? own : COMMANDS[name].keys;
}

export const IS_MAC = navigator.platform.startsWith('Mac');

function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

/** As the button does it: it is there while there is something to stop, and says what became of it. */
function stop(): void {
  document.getElementById('stop')?.click();
}

function toggle(drawer: Drawer): void {
  if (usePlace.getState().drawer === drawer) closeDrawer();
  else openDrawer(drawer);
}
