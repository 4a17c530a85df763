import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobId, SessionId } from '../../app/base/id.ts';
import { messageOf } from '../../app/base/fault.ts';
import { TEXT_LIMIT, utf8Bytes } from '../../app/base/text.ts';
import type { JobOutput, JobOutputs, OutputPage } from '../../app/job/output.ts';
import { StorageError } from '../../app/log/journal.ts';
import { codeOf } from '../base/codeOf.ts';
import { FILE_MODE, FOLDER_MODE, realDisk, type Disk } from './disk.ts';
import { pathsOf } from './paths.ts';
import { pageOf } from './textPage.ts';

export interface JobOutputsOptions {
  /** `<home>/sessions`. */
  readonly sessions: string;
  /** Hears of what the disk did not take. */
  readonly onFault: (fault: unknown) => void;
  readonly disk?: Pick<Disk, 'write'>;
}

/** The output of jobs, one file each, in the folder of their Session. */
export class FileJobOutputs implements JobOutputs {
  readonly #options: JobOutputsOptions;

  constructor(options: JobOutputsOptions) {
    this.#options = options;
  }

  async open(sessionId: SessionId, jobId: JobId, limit: number): Promise<JobOutput> {
    const { sessions, onFault, disk = realDisk } = this.#options;
    const { jobs } = pathsOf(sessions, sessionId);
    const path = join(jobs, `${jobId}.txt`);
    try {
      await mkdir(jobs, { recursive: true, mode: FOLDER_MODE });
      return new FileJobOutput({ path, file: await open(path, 'wx', FILE_MODE), limit, onFault, disk });
    } catch (fault) {
      const full = codeOf(fault) === 'ENOSPC' || codeOf(fault) === 'EDQUOT';
      throw new StorageError(`The output file ${path} could not be made: ${messageOf(fault)}`, full, { cause: fault });
    }
  }
}

interface FileJobOutputParts {
  readonly path: string;
  readonly file: FileHandle;
  readonly limit: number;
  readonly onFault: (fault: unknown) => void;
  readonly disk: Pick<Disk, 'write'>;
}

/** What waits for the disk is bounded by the limit: a flood is counted and forgotten. */
class FileJobOutput implements JobOutput {
  readonly #parts: FileJobOutputParts;
  #waiting: string[] = [];
  /** Bytes that were taken; `#written` of them can be read. */
  #taken = 0;
  #written = 0;
  #dropped = 0;
  #isFull = false;
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: FileJobOutputParts) {
    this.#parts = parts;
  }

  write(text: string): void {
    const bytes = utf8Bytes(text);
    // Once something did not fit nothing more is taken, or there would be a hole.
    this.#isFull ||= this.#taken + bytes > this.#parts.limit || this.#closing !== undefined;
    if (this.#isFull) {
      this.#dropped += bytes;
      return;
    }
    this.#taken += bytes;
    this.#waiting.push(text);
    this.#writing ??= this.#writeAll();
  }

  async page(from: number, signal: AbortSignal): Promise<OutputPage> {
    signal.throwIfAborted();
    const file = await open(this.#parts.path, 'r');
    try {
      // Only what is written for certain: between two writes the file ends with a whole character.
      const { text, from: begin, next, bytes } = await pageOf(file, { from, bytes: TEXT_LIMIT, size: this.#written });
      return { text, from: begin, next: next ?? bytes, last: next === undefined, dropped: this.#dropped };
    } finally {
      await file.close();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writing;
    await this.#parts.file.close();
  }

  async #writeAll(): Promise<void> {
    const { file, disk, onFault } = this.#parts;
    try {
      while (this.#waiting.length > 0) {
        const bytes = Buffer.from(this.#waiting.splice(0).join(''));
        await disk.write(file, bytes, this.#written);
        this.#written += bytes.length;
      }
    } catch (fault) {
      this.#isFull = true;
      this.#dropped += this.#taken - this.#written;
      this.#waiting = [];
      onFault(fault);
    }
    this.#writing = undefined;
  }
}
