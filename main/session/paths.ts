import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';

/** Where one Session lies. */
export interface SessionPaths {
  readonly folder: string;
  readonly log: string;
  readonly blobs: string;
  /** What its jobs printed. */
  readonly jobs: string;
  readonly lock: string;
}

const LOG_NAME = 'session.jsonl';

/** `id` becomes one safe path component: whatever is not a letter, a digit, `_` or `-` is spelled as `%` and its code. */
export function pathsOf(sessions: string, id: SessionId): SessionPaths {
  const name = id.replaceAll(/[^A-Za-z0-9_-]/gu, (character) => {
    return Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  });
  const folder = join(sessions, name);
  return {
    folder,
    log: join(folder, LOG_NAME),
    blobs: join(folder, 'blobs'),
    jobs: join(folder, 'jobs'),
    lock: join(folder, 'writer.lock'),
  };
}

/** The id of the Session in a folder of this name; undefined when it is none of ours. */
export function idOf(name: string): SessionId | undefined {
  if (!/^(?:[A-Za-z0-9_-]|%[0-9a-f]{2})+$/.test(name)) return undefined;
  try {
    return decodeURIComponent(name) as SessionId; // The brand only says which kind of id it is.
  } catch {
    return undefined;
  }
}
