import type { CommandName } from '../shortcuts/commands.ts';
import { parseKeys, sameKeys, writeKeys, type Keys } from '../shortcuts/keys.ts';

/** Every command with the keys in force, in the order in which keys are looked up. */
export type KeyTable = readonly (readonly [CommandName, string])[];

/** Whether a command can have these keys. */
export type Judged =
  | { readonly kind: 'free' }
  /** They would fire while a person types. */
  | { readonly kind: 'unusable' }
  /** The system, text fields or the approval dialog need them. */
  | { readonly kind: 'reserved' }
  | { readonly kind: 'taken'; readonly by: CommandName };

export function judgeKeys(name: CommandName, keys: Keys, table: KeyTable): Judged {
  if (parseKeys(writeKeys(keys)) === undefined) return { kind: 'unusable' };
  if (isReserved(keys)) return { kind: 'reserved' };
  const others = table.filter(([other]) => other !== name);
  const by = ownerOf(keys, others);
  return by === undefined ? { kind: 'free' } : { kind: 'taken', by };
}

/** The command that hears the same keys before this one does; only a file written by hand has that. */
export function clashOf(name: CommandName, table: KeyTable): CommandName | undefined {
  const at = table.findIndex(([other]) => other === name);
  const keys = parseKeys(table[at]?.[1] ?? '');
  return keys && ownerOf(keys, table.slice(0, at));
}

function ownerOf(keys: Keys, among: KeyTable): CommandName | undefined {
  const owner = among.find(([, text]) => {
    const theirs = parseKeys(text);
    return theirs !== undefined && sameKeys(theirs, keys);
  });
  return owner?.[0];
}

/** Text is edited with them, or the focus moved. */
const EDITING = new Set(['Tab', 'Enter', 'Escape', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown']);

const RESERVED = new Set([
  ...['A', 'C', 'V', 'X', 'Y', 'Z'].map((key) => `Mod+${key}`),
  'Mod+Shift+Z',
  // The window, the tab and its zoom: a browser or a menu takes them before the page hears of them.
  ...['L', 'M', 'N', 'Q', 'R', 'T', 'W', '0', '+', '-', '='].map((key) => `Mod+${key}`),
  ...['N', 'T', 'W', 'R', 'I'].map((key) => `Mod+Shift+${key}`),
  'F5',
  'F11',
  'F12',
  'Alt+F4',
  // The answers of the approval dialog.
  ...['A', 'D', 'N'].map((key) => `Alt+${key}`),
]);

function isReserved(keys: Keys): boolean {
  return EDITING.has(keys.key) || keys.key.startsWith('Arrow') || RESERVED.has(writeKeys(keys));
}
