/** Keys as a person writes them: `Mod+Shift+A`. `Mod` is Command on a Mac and Control elsewhere. */
export interface Keys {
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  /** As `KeyboardEvent.key` says it, letters in upper case. */
  readonly key: string;
}

/** Undefined where it is none: a single letter or digit alone would fire while a person types. */
export function parseKeys(text: string): Keys | undefined {
  const parts = text.split('+').map((part) => part.trim());
  const key = parts.pop() ?? '';
  if (key === '' || parts.some((part) => !MODIFIERS.has(part))) return undefined;
  const keys = {
    mod: parts.includes('Mod'),
    shift: parts.includes('Shift'),
    alt: parts.includes('Alt'),
    key: upper(key),
  };
  return keys.mod || keys.alt || /^F\d{1,2}$/.test(keys.key) ? keys : undefined;
}

export function writeKeys({ mod, shift, alt, key }: Keys): string {
  return [mod && 'Mod', alt && 'Alt', shift && 'Shift', key].filter(Boolean).join('+');
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** What was pressed. With Option held a Mac gives another character, so letters are then read off the key's place. */
export function keysOf(event: Pressed, isMac: boolean): Keys {
  const placed = event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3) : event.key;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  return { mod, shift: event.shiftKey, alt: event.altKey, key: upper(placed) };
}

export function sameKeys(a: Keys, b: Keys): boolean {
  return a.mod === b.mod && a.shift === b.shift && a.alt === b.alt && a.key === b.key;
}

/** As it is printed on the keyboard of this machine. */
export function showKeys(text: string, isMac: boolean): string {
  const words = isMac ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' } : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' };
  return text
    .split('+')
    .map((part) => words[part as keyof typeof words] ?? part)
    .join(isMac ? '' : ' ');
}

const MODIFIERS = new Set(['Mod', 'Shift', 'Alt']);

function upper(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key;
}
