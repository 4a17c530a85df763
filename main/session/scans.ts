import type { Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isUntouched } from './disk.ts';
import { linesOf } from './lines.ts';
import { Scan, type Visit } from './scan.ts';

/** What was found in a file, as it was at `stats`. */
export interface Scanned {
  readonly scan: Scan;
  readonly stats: Stats;
}

/**
 * Scans of logs, remembered: an untouched file is not read again, and of one that has only grown just the new lines are.
 * One scan of a file runs at a time.
 */
export class Scans {
  readonly #known = new Map<string, Scanned>();
  readonly #running = new Map<string, Promise<Scanned>>();

  /** Rejects with ENOENT when there is no such file. */
  async at(path: string, signal: AbortSignal): Promise<Scanned> {
    // Waited for and not shared: the other one may be cancelled, and an untouched file costs nothing.
    for (let other = this.#running.get(path); other; other = this.#running.get(path))
      await other.catch(() => undefined);
    const running = this.#refresh(path, signal).finally(() => this.#running.delete(path));
    this.#running.set(path, running);
    return running;
  }

  forget(path: string): void {
    this.#known.delete(path);
  }

  async #refresh(path: string, signal: AbortSignal): Promise<Scanned> {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      const known = this.#known.get(path);
      if (known && isUntouched(known.stats, stats)) return known;
      // While it goes on the scan is half-way: forgotten, in case it is interrupted.
      this.#known.delete(path);
      const grown = known !== undefined && (await hasOnlyGrown(file, known, stats));
      const scan = grown ? known.scan : new Scan(path);
      await scanFile(file, scan, { to: stats.size, signal });
      const scanned = { scan, stats };
      this.#known.set(path, scanned);
      return scanned;
    } finally {
      await file.close();
    }
  }
}

/** Feeds `scan` with what it has not seen of a file. */
export async function scanFile(
  file: FileHandle,
  scan: Scan,
  { to, signal, visit }: { readonly to: number; readonly signal: AbortSignal; readonly visit?: Visit },
): Promise<void> {
  const batches = linesOf(file, { from: scan.end, to }, signal);
  let next = await batches.next();
  for (; !next.done; next = await batches.next()) for (const line of next.value) scan.feed(line, visit);
  scan.torn = next.value;
}

/** The last line that was read is still where it was: its hash speaks for all before it. */
async function hasOnlyGrown(file: FileHandle, { scan, stats }: Scanned, now: Stats): Promise<boolean> {
  if (stats.ino !== now.ino || now.size < scan.end || scan.length === 0 || scan.damage?.kind === 'damaged')
    return false;
  const tail = Buffer.alloc(scan.lastHash.length);
  await file.read(tail, 0, tail.length, scan.end - tail.length - '"}\n'.length);
  return tail.toString('latin1') === scan.lastHash;
}
