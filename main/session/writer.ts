import { mkdir, open, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Header } from '../../app/session/header.ts';
import { StoreError, type SessionWriter, type StoredSession } from '../../app/session/store.ts';
import { codeOf } from '../base/codeOf.ts';
import { sha256 } from '../base/sha256.ts';
import { keepBlob } from './blobs.ts';
import { absent, FOLDER_MODE, storageFault, type Disk } from './disk.ts';
import { frame } from './line.ts';
import type { HeldLock } from './lockFile.ts';
import type { SessionPaths } from './paths.ts';
import { publishNew } from './publish.ts';
import type { TornTail } from './torn.ts';

/** What a log is before this writer adds to it. Without a lock it is not on disk yet. */
export interface WriterStart {
  readonly paths: SessionPaths;
  readonly header: Header;
  readonly stored: StoredSession;
  readonly window: readonly SessionEvent[];
  readonly callIds: ReadonlyMap<string, number>;
  readonly torn?: TornTail;
  readonly size: number;
  readonly lastHash: string;
  readonly lock?: HeldLock;
}

export interface WriterPorts {
  readonly disk: Disk;
  /** Takes the writing lock once the folder is there; throws where another process has it. */
  readonly takeLock: (paths: SessionPaths) => Promise<HeldLock>;
}

/** The one that writes a log. A batch is stored whole or not at all, so that trying again repeats no seq. */
export class JsonlWriter implements SessionWriter {
  readonly kind = 'writer';
  readonly stored: StoredSession;
  readonly window: readonly SessionEvent[];
  readonly callIds: ReadonlyMap<string, number>;
  readonly torn?: TornTail;
  readonly #ports: WriterPorts;
  readonly #paths: SessionPaths;
  readonly #header: Header;
  #lock: HeldLock | undefined;
  #file: FileHandle | undefined;
  #length: number;
  #size: number;
  #hash: string;
  #published: boolean;
  /** A failed append may have left something behind the last acknowledged event. */
  #leftover = false;
  #last: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(start: WriterStart, ports: WriterPorts) {
    this.stored = start.stored;
    this.window = start.window;
    this.callIds = start.callIds;
    if (start.torn) this.torn = start.torn;
    this.#ports = ports;
    this.#paths = start.paths;
    this.#header = start.header;
    this.#lock = start.lock;
    this.#length = start.stored.length;
    this.#size = start.size;
    this.#hash = start.lastHash;
    this.#published = start.lock !== undefined;
  }

  append(expectedSeq: number, batch: readonly SessionEvent[]): Promise<void> {
    return this.#inOrder(async () => {
      if (expectedSeq !== this.#length || batch.some((event, index) => event.seq !== expectedSeq + index)) {
        throw new StoreError('conflict', `The log has ${this.#length} events; event ${expectedSeq} cannot come next`);
      }
      if (batch.length === 0) return;
      await (this.#published ? this.#extend(batch) : this.#publish(batch));
      this.#length += batch.length;
    });
  }

  keep(text: string): Promise<string> {
    return this.#inOrder(() =>
      keepBlob(this.#paths.blobs, text, this.#ports.disk).catch((fault: unknown) => {
        throw storageFault('A long text could not be kept', fault);
      }),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#last.then(() => this.#end());
    return this.#closing;
  }

  /** One thing at a time, in the order it was asked for. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(new StoreError('storage', 'The log is closed'));
    const done = this.#last.then(work);
    this.#last = done.then(
      () => undefined,
      () => undefined, // Its caller was told.
    );
    return done;
  }

  async #publish(batch: readonly SessionEvent[]): Promise<void> {
    const { folder, log } = this.#paths;
    const header = JSON.stringify(this.#header);
    const framed = frame(sha256(header), batch);
    const bytes = Buffer.concat([Buffer.from(`${header}\n`), framed.bytes]);
    try {
      const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      this.#lock ??= await this.#ports.takeLock(this.#paths);
      // When the log has its name, every folder on the way to it is durable.
      if (made !== undefined && made !== folder) await this.#ports.disk.syncFolder(dirname(made));
      await this.#ports.disk.syncFolder(dirname(folder));
      await publishNew(log, bytes, this.#ports.disk);
    } catch (fault) {
      if (codeOf(fault) === 'EEXIST')
        throw new StoreError('conflict', `There is a log at ${log} already`, { cause: fault });
      throw storageFault(`${log} could not be written`, fault);
    }
    this.#published = true;
    this.#size = bytes.length;
    this.#hash = framed.hash;
  }

  async #extend(batch: readonly SessionEvent[]): Promise<void> {
    const { disk } = this.#ports;
    const framed = frame(this.#hash, batch);
    try {
      this.#file ??= await open(this.#paths.log, 'r+');
      await this.#restore(this.#file);
      try {
        await disk.write(this.#file, framed.bytes, this.#size);
        await disk.sync(this.#file);
      } catch (fault) {
        this.#leftover = true;
        // Back to the previous size, so that a retry cannot repeat a seq. Where even that fails the next append does it.
        await this.#restore(this.#file).catch(() => undefined);
        throw fault;
      }
    } catch (fault) {
      throw storageFault(`${this.#paths.log} could not be written`, fault);
    }
    this.#size += framed.bytes.length;
    this.#hash = framed.hash;
  }

  /** Takes away what a failed append of ours left. Anything else that was done to the file is not ours to undo. */
  async #restore(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size > this.#size && this.#leftover) await this.#ports.disk.truncate(file, this.#size);
    else if (size !== this.#size) throw new StoreError('damaged', `Another program has changed ${this.#paths.log}`);
    this.#leftover = false;
  }

  async #end(): Promise<void> {
    await this.#file?.close();
    if (!this.#published) await this.#leaveNothing();
    await this.#lock?.close();
  }

  /** A Session without events leaves nothing on disk: neither the lock of a failed first write, nor unnamed blobs. */
  async #leaveNothing(): Promise<void> {
    const { folder, log, blobs, lock } = this.#paths;
    // Somebody else has made a Session of this id: everything here is theirs.
    if (await absent(stat(log))) return;
    await rm(blobs, { recursive: true, force: true });
    if (this.#lock) await rm(lock, { force: true });
    await rmdir(folder).catch(() => undefined); // It was never made.
  }
}
