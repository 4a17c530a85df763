import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import { committed } from '../../app/session/session.fixture.ts';
import type { SessionDraft, SessionEvent } from '../../app/session/events.ts';
import type { Header } from '../../app/session/header.ts';
import type { SessionWriter } from '../../app/session/store.ts';
import { loadLocks } from '../native.ts';
import { realDisk, type Disk } from './disk.ts';
import { JsonlStore } from './jsonlStore.ts';
import { pathsOf, type SessionPaths } from './paths.ts';

/** A fresh folder with a store in it, and what tests do with both. */
export interface Home {
  readonly folder: string;
  readonly sessions: string;
  readonly store: JsonlStore;
  /** As after a restart: nothing is remembered. */
  reopened(disk?: Disk): JsonlStore;
  paths(id?: string): SessionPaths;
  /** Stores drafts as a new log, and closes it. */
  write(drafts: readonly SessionDraft[], header?: Header): Promise<readonly SessionEvent[]>;
  lines(id?: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export const never: AbortSignal = new AbortController().signal;

export async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-store-'));
  const sessions = join(folder, 'sessions');
  const reopened = (disk: Disk = realDisk): JsonlStore => openStore(sessions, disk);
  const paths = (id = 's_test'): SessionPaths => pathsOf(sessions, id as SessionId);
  return {
    folder,
    sessions,
    store: reopened(),
    reopened,
    paths,
    async write(drafts, header = headerNamed()) {
      const writer = await writerOf(reopened(), header);
      const events = committed(drafts);
      await writer.append(0, events);
      await writer.close();
      return events;
    },
    lines: async (id) => (await readFile(paths(id).log, 'utf8')).split('\n').slice(0, -1),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export function openStore(sessions: string, disk: Disk = realDisk, instance = 'i_test'): JsonlStore {
  const holder = { instance, pid: process.pid, startTime: '1', door: 'test' };
  return new JsonlStore({ folder: sessions, locks: loadLocks(), holder, now: () => 1_700_000_000_000, disk });
}

export function headerNamed(id = 's_test', more: Partial<Header> = {}): Header {
  return { version: 1, id: id as SessionId, createdAt: 1, workspace: '/w', ...more };
}

export async function writerOf(store: JsonlStore, header = headerNamed()): Promise<SessionWriter> {
  const opened = await store.openForWriting(header, never);
  if (opened.kind === 'writer') return opened;
  throw new Error(`Open elsewhere: ${opened.holder}`);
}

/** A disk of which one operation fails while `failing` names it. */
export class FaultyDisk implements Disk {
  failing: 'write' | 'half-write' | 'sync' | 'truncate' | 'syncFolder' | undefined;
  code = 'EIO';
  /** Only this folder cannot be synced, when `failing` is `syncFolder`. */
  folder: string | undefined;
  readonly asked: string[] = [];

  readonly write: Disk['write'] = async (file, bytes, at) => {
    this.asked.push('write');
    if (this.failing === 'half-write') await realDisk.write(file, bytes.subarray(0, bytes.length / 2), at);
    if (this.failing === 'write' || this.failing === 'half-write') throw this.#fault();
    await realDisk.write(file, bytes, at);
  };

  readonly sync: Disk['sync'] = async (file) => {
    this.asked.push('sync');
    if (this.failing === 'sync') throw this.#fault();
    await realDisk.sync(file);
  };

  readonly truncate: Disk['truncate'] = async (file, size) => {
    this.asked.push('truncate');
    if (this.failing === 'truncate') throw this.#fault();
    await realDisk.truncate(file, size);
  };

  readonly syncFolder: Disk['syncFolder'] = async (folder) => {
    this.asked.push('syncFolder');
    if (this.failing === 'syncFolder' && folder === (this.folder ?? folder)) throw this.#fault();
    await realDisk.syncFolder(folder);
  };

  #fault(): Error {
    return Object.assign(new Error(`${this.code}: injected`), { code: this.code });
  }
}
