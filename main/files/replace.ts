import { constants } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Place } from '../../app/sandbox/place.ts';
import type { FileFailure, FileWrite, FileWritten } from '../../app/tool/ports.ts';
import { sha256 } from '../base/sha256.ts';
import { encode, readEntry, type Current } from './content.ts';
import { codeOf, movedOr, toDenial } from './fault.ts';
import type { Folder } from './folder.ts';
import type { View } from './view.ts';

export interface Replacement {
  readonly write: FileWrite;
  readonly place: Place;
  readonly folder: Folder;
  readonly view: View;
  readonly temporaryName: string;
  /** For tests: before the last checks, and behind them where a new file is made. */
  readonly beforeRename: (() => Promise<void>) | undefined;
  readonly beforeName: (() => Promise<void>) | undefined;
}

/**
 * Temporary file, fsync, last checks, rename, fsync of the folder. Nothing is written through an existing name, so
 * neither a link nor a hard link of the file can carry the content elsewhere.
 */
export async function replaceEntry(of: Replacement, signal: AbortSignal): Promise<FileWritten | FileFailure> {
  const current = await compare(of, signal);
  if (isFailure(current)) return current;
  const bytes = encode(of.write.content, current?.content.bom ?? false);
  const temporary = of.folder.entry(of.temporaryName);
  try {
    await writeTemporary(temporary, bytes, current);
    await of.beforeRename?.();
    const failure = await lastChecks(of, signal);
    if (failure) return failure;
    const path = of.folder.entry(posix.basename(of.place.path));
    if (current) await rename(temporary, path);
    else await makeName(temporary, path, of.beforeName);
  } catch (fault) {
    return await refusalOf(fault, of, signal);
  } finally {
    await removeIfThere(temporary);
  }
  await of.folder.sync();
  return {
    kind: 'written',
    place: of.place,
    created: current === undefined,
    bytes: bytes.length,
    sha256: sha256(bytes),
    ...(current && { before: current.content.sha256 }),
  };
}

/** The file as it is, when it is what the caller expects it to be. */
async function compare(of: Replacement, signal: AbortSignal): Promise<Current | FileFailure | undefined> {
  const now = await readEntry(of.folder, of.place, signal);
  if (isFailure(now)) return now;
  const digest = now?.content.sha256 ?? null;
  return digest === of.write.expected ? now : { kind: 'stale', path: of.place.path, now: now?.content };
}

function isFailure(current: Current | FileFailure | undefined): current is FileFailure {
  return current !== undefined && current.kind !== 'current';
}

/** The folder may have been moved, and the file changed, since it was opened. After these checks comes the rename. */
async function lastChecks(of: Replacement, signal: AbortSignal): Promise<FileFailure | undefined> {
  const target = await of.folder.place(posix.basename(of.place.path));
  const refusal = of.view.refuse(target, 'write');
  if (refusal) return refusal;
  const current = await compare(of, signal);
  signal.throwIfAborted();
  return isFailure(current) ? current : undefined;
}

async function writeTemporary(path: string, bytes: Buffer, current: Current | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, current ? 0o600 : 0o666);
  try {
    await file.writeFile(bytes);
    if (current) await keepPermissions(file, current);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The owner first: a change of owner may take bits away. Who may not give a file away keeps it as his own. */
async function keepPermissions(file: FileHandle, { mode, uid, gid }: Current): Promise<void> {
  const now = await file.stat();
  if (now.uid !== uid || now.gid !== gid) {
    await file.chown(uid, gid).catch((fault: unknown) => {
      if (codeOf(fault) !== 'EPERM') throw fault;
    });
  }
  await file.chmod(mode & 0o777);
}

/** A new name is linked, not renamed: it fails when somebody made the file meanwhile. */
async function makeName(temporary: string, path: string, before: Replacement['beforeName']): Promise<void> {
  await before?.();
  try {
    await link(temporary, path);
  } catch (fault) {
    // A file system without hard links, where the comparison just made has to do.
    if (codeOf(fault) !== 'EPERM' && codeOf(fault) !== 'EOPNOTSUPP') throw fault;
    await rename(temporary, path);
  }
}

async function refusalOf(fault: unknown, of: Replacement, signal: AbortSignal): Promise<FileFailure> {
  if (codeOf(fault) !== 'EEXIST') return toDenial(movedOr(fault), of.place.path);
  const now = await readEntry(of.folder, of.place, signal);
  if (isFailure(now)) return now;
  return { kind: 'stale', path: of.place.path, now: now?.content };
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (fault) {
    if (codeOf(fault) !== 'ENOENT') throw fault;
  }
}
