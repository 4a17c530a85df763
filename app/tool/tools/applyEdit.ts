import { endingOf, toCrlf } from './lineEndings.ts';

export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

export type Edited =
  | { readonly kind: 'edited'; readonly text: string; readonly replacements: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'not-unique'; readonly places: number }
  | { readonly kind: 'too-large'; readonly length: number };

/**
 * Replaces the one exact match of `old`, or all with `replaceAll`. In a file of `\r\n` lines a plain `\n` of the edit
 * means the file's ending. No pattern means anything, neither in `old` nor in `new`.
 */
export function applyEdit(text: string, edit: Edit, limit: number): Edited {
  const crlf = endingOf(text) === '\r\n';
  const [old, replacement] = crlf ? [toCrlf(edit.old), toCrlf(edit.new)] : [edit.old, edit.new];
  const first = text.indexOf(old);
  if (first < 0) return { kind: 'not-found' };
  // Overlapping matches count: which of them is meant cannot be known.
  const another = text.indexOf(old, first + 1) >= 0;
  const places = text.split(old).length - 1;
  if (!edit.replaceAll && another) return { kind: 'not-unique', places: Math.max(places, 2) };
  const length = text.length + places * (replacement.length - old.length);
  if (length > limit) return { kind: 'too-large', length };
  return { kind: 'edited', text: text.split(old).join(replacement), replacements: places };
}
