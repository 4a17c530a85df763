import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/makeFolder.ts';

/** Both ends of a pipe, as descriptors of ours that no child inherits unless it is planned. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

export interface Output {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/** Kept ready: enough for a few launches at once. */
const STOCK = 16;
/** Starting the program that makes them holds this thread up for some milliseconds: only when nothing was started lately. */
const REFILL_MS = 500;

/**
 * Pipes for the output of programs. What Node makes for a child is a socket pair, which cannot be opened by its name: a
 * script that writes to `/dev/stderr` fails on it. Real pipes are made by name, opened, and unlinked at once.
 */
export class Pipes {
  readonly #folder: string;
  readonly #ready: Pipe[] = [];
  #filling: Promise<void> | undefined;
  #refill: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** One for each output of a program; whoever takes them closes both ends. */
  async take(): Promise<Output> {
    for (;;) {
      if (this.#isClosed) throw new Error('No pipes are made any more');
      const [stdout, stderr] = this.#ready.length < 2 ? [] : this.#ready.splice(0, 2);
      if (stdout && stderr) {
        // Back to the full stock each time, so that an idle app always holds the same descriptors.
        clearTimeout(this.#refill);
        this.#refill = setTimeout(() => void this.#startFilling().catch(() => undefined), REFILL_MS).unref();
        return { stdout, stderr };
      }
      await this.#startFilling();
    }
  }

  /** The descriptors that are kept ready: Node opened them, so no child inherits them by accident. */
  held(): ReadonlySet<number> {
    return new Set(this.#ready.flatMap(({ read, write }) => [read, write]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refill);
    await this.#filling?.catch(() => undefined);
    // After the filling, which adds to them.
    for (const pipe of this.#ready.splice(0)) closePipe(pipe);
  }

  /** A fault comes to the launch that finds too few. */
  #startFilling(): Promise<void> {
    clearTimeout(this.#refill);
    this.#refill = undefined;
    this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
    return this.#filling;
  }

  async #fill(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const folder = await mkdtemp(join(this.#folder, 'pipes-'));
    let made = 0;
    try {
      for (let missing = STOCK - this.#ready.length; missing > 0; missing = STOCK - this.#ready.length) {
        const paths = Array.from({ length: missing }, () => join(folder, String((made += 1))));
        await make(paths);
        this.#ready.push(...paths.map(openPipe));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}

/** The reading end first, and without waiting: then the writing end has its reader and does not wait either. */
function openPipe(path: string): Pipe {
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read, write: openSync(path, constants.O_WRONLY) };
}

async function make(paths: readonly string[]): Promise<void> {
  // An app that was started by its icon may have next to no PATH of its own.
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin` };
  const child = spawn('mkfifo', ['-m', '600', '--', ...paths], { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`mkfifo failed with exit code ${code}`);
}
