import type { Place } from '../../sandbox/place.ts';
import { verdict } from '../../sandbox/verdict.ts';
import { cut, headOf } from '../cut.ts';
import type { Confinement, FileContent, FileFailure, Files, FileWritten } from '../ports.ts';
import { failed, refused, type Outcome, type Receipt } from '../result.ts';
import type { CallPlan, ToolRun } from '../tool.ts';
import type { Snapshots } from './snapshots.ts';

/** What the file tools share. */
export interface FileToolParts {
  readonly files: Files;
  /** Unified diff. */
  readonly diff: (path: string, before: string, after: string) => string;
  /** The line that a denied call adds: names the Mode, and says where an escalation is possible (policy.md). */
  readonly deniedLine: (at: Confinement) => string;
  readonly snapshots: Snapshots;
}

/** The largest content that may be written: what could not be read back whole could not be edited either. */
export const WRITE_LIMIT = 10 * 1024 * 1024;

/** The one path that is written, or why it may not be under this policy. */
export async function planWrite(parts: FileToolParts, path: string, at: Confinement): Promise<CallPlan> {
  const place = await parts.files.locate(path, at);
  if (!isPlace(place)) return { writes: 'none', refusal: refusalOf(place, 'write', { parts, at }) };
  const judged = verdict(place, 'write', at.policy);
  if (judged.kind === 'deny') {
    const denied = { kind: 'denied', path: place.path, reason: judged.reason } as const;
    return { writes: 'none', refusal: refusalOf(denied, 'write', { parts, at }) };
  }
  // The private temp is the Session's own: nobody else could hold it.
  return { writes: place.kind === 'temp' ? 'none' : [place.path] };
}

export function isPlace(located: Place | FileFailure): located is Place {
  return located.kind === 'host' || located.kind === 'temp';
}

interface Asked {
  readonly parts: Pick<FileToolParts, 'deniedLine'>;
  readonly at: Confinement;
}

/** Where a body may write: what was judged, and where a person was asked, what that person was shown. */
export function judgedPlaces({ writes, approved }: ToolRun): { readonly only?: readonly string[] } {
  if (typeof writes === 'string') return {};
  return { only: approved?.kind === 'file' ? writes.filter((path) => path === approved.path) : writes };
}

/**
 * A person has allowed one change and no other: refused when the file has become another since it was shown. A path that
 * leads elsewhere by now is denied where it is written (`judgedPlaces`).
 */
export function refuseUnshown({ approved }: ToolRun, path: string, change: string): Outcome | undefined {
  if (approved?.kind !== 'file' || approved.path !== path || approved.diff.text === change) return undefined;
  return refused('stale', `${path} changed since a person was shown this change. Nothing was written: read it again.`);
}

/** A failure of the files as a result of the call; nothing was written. */
export function refusalOf(failure: FileFailure, operation: 'read' | 'write', { parts, at }: Asked): Outcome {
  const shown = cut(failure.path, 4096);
  switch (failure.kind) {
    case 'denied': {
      const line = operation === 'write' ? parts.deniedLine(at) : `The Mode is ${at.policy.mode}.`;
      const denied = { operation, path: failure.path, mode: at.policy.mode, certain: true };
      const text = `Denied: ${operation} ${shown}: ${failure.reason}.\n${line}`;
      return { ...refused('denied', text), denied: [denied] };
    }
    case 'not-found':
      return failed('not-found', `Not found: ${shown}${failure.hint === undefined ? '' : `. ${failure.hint}`}`);
    case 'not-a-file':
      return failed('invalid-input', `Not a file: ${shown}. Folders are listed with glob.`);
    case 'too-large':
      return failed(
        'invalid-input',
        `Too large: ${shown} has ${failure.bytes} bytes. Use grep or a command for parts.`,
      );
    case 'workspace-missing':
      return refused('workspace-missing', `Workspace folder missing: ${shown}`);
    case 'stale':
      return refused('stale', `${shown} changed while it was being written. Nothing was written: read it again.`);
  }
}

/** Why a file may not be replaced by a Session that last saw something else of it, or nothing at all. */
export function refuseUnseen(parts: FileToolParts, file: FileContent, run: ToolRun): Outcome | undefined {
  const { path } = file.place;
  const seen = run.seen.get(path);
  if (seen === undefined) return refused('not-read', `${path} exists and was not read by this Session. Read it first.`);
  return seen === file.sha256 ? undefined : stale(parts, { path, seen, now: file });
}

const DIFF_LIMIT = 16 * 1024;

/** Refused because the file is no longer what this Session saw, with what changed as far as that is known. */
export function stale(
  { snapshots, diff }: FileToolParts,
  { path, seen, now }: { readonly path: string; readonly seen: string; readonly now: FileContent | undefined },
): Outcome {
  const before = snapshots.recall(seen);
  const after = now === undefined ? '' : now.text;
  const what = now === undefined ? 'no longer exists' : 'changed since this Session last saw it';
  const told =
    before === undefined || after === undefined
      ? ''
      : `\nWhat changed:\n${headOf(diff(path, before, after), DIFF_LIMIT)}`;
  return refused('stale', `${path} ${what}. Nothing was written: read it again.${told}`);
}

/** From now on the Session knows this content. */
export function remember(parts: FileToolParts, written: FileWritten | FileContent, text: string, run: ToolRun): void {
  run.seen.set(written.place.path, written.sha256);
  parts.snapshots.remember(written.sha256, text);
}

/** What an approved write leaves as proof; an unapproved one leaves none. */
export function receiptOf(written: FileWritten, run: ToolRun): { readonly receipt?: Receipt } {
  if (run.approvalId === undefined) return {};
  return {
    receipt: {
      approvalId: run.approvalId,
      path: written.place.path,
      ...(written.before !== undefined && { before: written.before }),
      after: written.sha256,
      mode: run.at.policy.mode,
      exitCode: null,
      signal: null,
      // The file is closed and no process was started.
      releasedBeforeReturn: true,
      standing: run.standingEnvironment(),
    },
  };
}
