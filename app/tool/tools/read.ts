import * as z from 'zod';
import { TEXT_LIMIT, utf8Bytes } from '../../base/text.ts';
import { headOf } from '../cut.ts';
import { failed, type Outcome } from '../result.ts';
import type { Tool } from '../tool.ts';
import { refusalOf, remember, type FileToolParts } from './fileParts.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  offset: z.int().min(1).optional().describe('First line, from 1'),
  limit: z.int().min(1).optional().describe('Number of lines'),
});
export type ReadInput = z.output<typeof input>;

const DESCRIPTION = `Reads a text file. The text comes back as it is, without line numbers. At most 64 KiB come back at once;
go on with \`offset\` and \`limit\`, which count lines. A file must be read before it is changed.`;

export function readTool(parts: FileToolParts): Tool<ReadInput> {
  return {
    name: 'read',
    description: DESCRIPTION,
    input,
    effect: 'read',
    presentation: 'generic',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async ({ path }) => ({ kind: 'call', input: { path } }),
    run: async (asked, run, signal) => {
      const file = await parts.files.read(asked.path, run.at, signal);
      if (file.kind !== 'file') return refusalOf(file, 'read', { parts, at: run.at });
      if (file.text === undefined) return failed('binary', `${file.place.path} is no text (${file.bytes} bytes).`);
      remember(parts, file, file.text, run);
      return outcomeOf(select(file.text, asked), file.bytes);
    },
  };
}

export interface Selection {
  readonly text: string;
  /** First and last line of `text`, from 1; `to` is `from - 1` when there is none. */
  readonly from: number;
  readonly to: number;
  /** Lines of the whole file. */
  readonly lines: number;
  /** The file goes on behind `text`. */
  readonly truncated: boolean;
  /** Stopped by the size, not by what was asked for. */
  readonly cutBySize: boolean;
}

/** The lines asked for, as many as fit; a single line that does not fit is cut between two characters. */
export function select(
  text: string,
  asked: { readonly offset?: number | undefined; readonly limit?: number | undefined },
): Selection {
  const lines = linesOf(text);
  const from = asked.offset ?? 1;
  const wanted = lines.slice(from - 1, asked.limit === undefined ? undefined : from - 1 + asked.limit);
  const taken: string[] = [];
  let room = TEXT_LIMIT;
  for (const line of wanted) {
    const fits = line.length <= room && utf8Bytes(line) <= room;
    if (fits || taken.length === 0) taken.push(fits ? line : headOf(line, room));
    if (!fits) break;
    room -= utf8Bytes(line);
  }
  const shown = taken.join('');
  const to = from - 1 + taken.length;
  const cutBySize = shown.length < wanted.reduce((length, line) => length + line.length, 0);
  return { text: shown, from, to, lines: lines.length, truncated: cutBySize || to < lines.length, cutBySize };
}

/** With their endings. A last line without one counts; nothing behind the last ending is no line. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function outcomeOf({ cutBySize, ...selected }: Selection, bytes: number): Outcome {
  const next = selected.to + 1;
  const note = `\n[cut at 64 KiB: lines ${selected.from} to ${selected.to} of ${selected.lines}; go on with offset ${next}]`;
  return { status: 'ok', content: cutBySize ? selected.text + note : selected.text, value: { ...selected, bytes } };
}
