import * as z from 'zod';
import type { Subject } from '../../approval/events.ts';
import { whole } from '../../base/text.ts';
import { headOf } from '../cut.ts';
import type { Confinement } from '../ports.ts';
import { failed, type Outcome } from '../result.ts';
import type { Tool, ToolRun } from '../tool.ts';
import { applyEdit, type Edit, type Edited } from './applyEdit.ts';
import {
  judgedPlaces,
  planWrite,
  receiptOf,
  refusalOf,
  refuseUnseen,
  refuseUnshown,
  remember,
  stale,
  WRITE_LIMIT,
  type FileToolParts,
} from './fileParts.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  old: z.string().min(1).describe('Text that occurs exactly once, unless replaceAll'),
  new: z.string(),
  replaceAll: z.boolean().default(false),
});
export type EditInput = z.output<typeof input>;

const DESCRIPTION = `Replaces text in a file that this Session has read. \`old\` must match exactly and once; with \`replaceAll\`
every match is replaced. Refused when the file has changed since it was read.`;

/** Enough to see what happened; the file itself can be read. */
const SHOWN = 8 * 1024;

export function editTool(parts: FileToolParts): Tool<EditInput> {
  return {
    name: 'edit',
    description: DESCRIPTION,
    input,
    effect: 'write',
    presentation: 'diff',
    nested: true,
    escalates: 'Asks a person to let exactly this edit happen under a wider mode, once',
    plan: ({ path }, at) => planWrite(parts, path, at),
    subject: (asked, at, signal) => subjectOf(parts, asked, { at, signal }),
    run: (asked, run, signal) => edit(parts, asked, { run, signal }),
  };
}

/** An edit that cannot be made is shown without a change: allowed or not, it will end as a failure. */
async function subjectOf(
  { files, diff }: FileToolParts,
  asked: EditInput,
  { at, signal }: { readonly at: Confinement; readonly signal: AbortSignal },
): Promise<Subject> {
  const file = await files.read(asked.path, at, signal);
  if (file.kind !== 'file') return { kind: 'file', path: file.path, exists: false, diff: whole('') };
  const { path } = file.place;
  const before = file.text ?? '';
  const edited = applyEdit(before, asked, WRITE_LIMIT);
  return {
    kind: 'file',
    path,
    exists: true,
    diff: whole(edited.kind === 'edited' ? diff(path, before, edited.text) : ''),
  };
}

async function edit(
  parts: FileToolParts,
  asked: EditInput,
  { run, signal }: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome> {
  const { at } = run;
  const file = await parts.files.read(asked.path, at, signal);
  if (file.kind !== 'file') return refusalOf(file, 'write', { parts, at });
  const { path } = file.place;
  if (file.text === undefined) return failed('binary', `${path} is no text. Nothing was written.`);
  const unseen = refuseUnseen(parts, file, run);
  if (unseen) return unseen;
  const edited = applyEdit(file.text, asked, WRITE_LIMIT);
  const change = edited.kind === 'edited' && run.approved ? parts.diff(path, file.text, edited.text) : '';
  const unshown = refuseUnshown(run, path, change);
  if (unshown) return unshown;
  if (edited.kind !== 'edited') return notEdited(edited, path, asked);
  const write = { path: asked.path, content: edited.text, expected: file.sha256, ...judgedPlaces(run) };
  const written = await parts.files.replace(write, at, signal);
  if (written.kind === 'stale') return stale(parts, { path: written.path, seen: file.sha256, now: written.now });
  if (written.kind !== 'written') return refusalOf(written, 'write', { parts, at });
  remember(parts, written, edited.text, run);
  const diff = parts.diff(path, file.text, edited.text);
  const { replacements } = edited;
  return {
    status: 'ok',
    content: `Edited ${path} (${replacements === 1 ? '1 replacement' : `${replacements} replacements`}).\n${headOf(diff, SHOWN)}`,
    value: { path, replacements, sha256: written.sha256, diff },
    ...receiptOf(written, run),
  };
}

function notEdited(edited: Exclude<Edited, { kind: 'edited' }>, path: string, { old }: Edit): Outcome {
  switch (edited.kind) {
    case 'not-found':
      return failed(
        'not-found',
        `The text to replace does not occur in ${path}. It must match exactly, blanks included.`,
      );
    case 'not-unique':
      return failed(
        'not-unique',
        `The text to replace occurs ${edited.places} times in ${path}. Give more of what is around it, or set replaceAll.`,
      );
    case 'too-large':
      return failed('invalid-input', `${path} would become longer than 10 MiB (${old.length} characters replaced).`);
  }
}
