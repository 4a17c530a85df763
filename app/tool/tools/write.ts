import * as z from 'zod';
import { utf8Bytes, whole } from '../../base/text.ts';
import type { Subject } from '../../approval/events.ts';
import type { Confinement } from '../ports.ts';
import type { Outcome } from '../result.ts';
import type { Tool, ToolRun } from '../tool.ts';
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
import { keepEndings } from './lineEndings.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  content: z.string().refine((text) => utf8Bytes(text) <= WRITE_LIMIT, 'must not be longer than 10 MiB'),
});
export type WriteInput = z.output<typeof input>;

const DESCRIPTION = `Writes a whole file; missing folders are made. A file that exists must have been read first and is
replaced only when it has not changed since. Line endings, byte-order mark and permissions of the file stay.`;

export function writeTool(parts: FileToolParts): Tool<WriteInput> {
  return {
    name: 'write',
    description: DESCRIPTION,
    input,
    effect: 'write',
    presentation: 'diff',
    nested: true,
    escalates: 'Asks a person to let exactly this write happen under a wider mode, once',
    plan: ({ path }, at) => planWrite(parts, path, at),
    subject: (asked, at, signal) => subjectOf(parts, asked, { at, signal }),
    run: (asked, run, signal) => write(parts, asked, { run, signal }),
  };
}

async function subjectOf(
  { files, diff }: FileToolParts,
  { path, content }: WriteInput,
  { at, signal }: { readonly at: Confinement; readonly signal: AbortSignal },
): Promise<Subject> {
  const { path: shown } = await files.locate(path, at);
  const file = await files.read(path, at, signal);
  const before = file.kind === 'file' ? (file.text ?? '') : '';
  return {
    kind: 'file',
    path: shown,
    exists: file.kind === 'file',
    diff: whole(diff(shown, before, keepEndings(content, before))),
  };
}

async function write(
  parts: FileToolParts,
  { path, content }: WriteInput,
  { run, signal }: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome> {
  const { at } = run;
  const now = await parts.files.read(path, at, signal);
  if (now.kind !== 'file' && now.kind !== 'not-found') return refusalOf(now, 'write', { parts, at });
  const unseen = now.kind === 'file' ? refuseUnseen(parts, now, run) : undefined;
  if (unseen) return unseen;
  const before = now.kind === 'file' ? (now.text ?? '') : '';
  const text = keepEndings(content, before);
  const found = now.kind === 'file' ? now.place.path : now.path;
  const unshown = run.approved && refuseUnshown(run, found, parts.diff(found, before, text));
  if (unshown) return unshown;
  const expected = now.kind === 'file' ? now.sha256 : null;
  const written = await parts.files.replace({ path, content: text, expected, ...judgedPlaces(run) }, at, signal);
  if (written.kind === 'stale' && expected !== null)
    return stale(parts, { path: written.path, seen: expected, now: written.now });
  if (written.kind !== 'written') return refusalOf(written, 'write', { parts, at });
  remember(parts, written, text, run);
  const { created, bytes, sha256, place } = written;
  return {
    status: 'ok',
    content: `${created ? 'Created' : 'Replaced'} ${place.path} (${bytes} bytes).`,
    value: { path: place.path, created, bytes, sha256 },
    ...receiptOf(written, run),
  };
}
