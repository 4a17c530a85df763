import * as z from 'zod';

/** A line that ripgrep found, or one around it. */
export interface FoundLine {
  readonly kind: 'match' | 'context';
  readonly path: string;
  readonly line: number;
  /** Without its ending. */
  readonly text: string;
}

const text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const line = z.object({ path: text, lines: text, line_number: z.int() });
const record = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin') }),
  z.object({ type: z.literal('match'), data: line }),
  z.object({ type: z.literal('context'), data: line }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('summary') }),
]);

/** One record of `rg --json`. Undefined: nothing to show. Throws for anything that ripgrep does not say. */
export function parseRecord(json: string): FoundLine | undefined {
  const parsed = record.safeParse(JSON.parse(json));
  if (!parsed.success) throw new Error('ripgrep said what is not understood', { cause: parsed.error });
  const found = parsed.data;
  if (found.type !== 'match' && found.type !== 'context') return undefined;
  const { path, lines, line_number } = found.data;
  // A path that is not UTF-8 cannot be asked for again.
  if (!('text' in path)) return undefined;
  const shown = 'text' in lines ? lines.text : fromLatin1(lines.bytes);
  return { kind: found.type, path: path.text, line: line_number, text: shown.replace(/\r?\n$/, '') };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of bytes that are not UTF-8, taken for Latin-1, which such files mostly are. */
function fromLatin1(base64: string): string {
  let bits = 0;
  let held = 0;
  let result = '';
  for (const digit of base64.replaceAll('=', '')) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    result += String.fromCharCode((held >> bits) & 0xff);
  }
  return result;
}
