import { open, readdir } from 'node:fs/promises';
import type { SessionId } from '../../app/base/id.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Header } from '../../app/session/header.ts';
import {
  StoreError,
  WINDOW,
  type Damage,
  type OpenElsewhere,
  type SessionStore,
  type SessionWriter,
  type StoredSession,
} from '../../app/session/store.ts';
import type { Problem, Verification, Verifier } from '../../app/session/verify.ts';
import { NOTHING_SAID } from '../../app/session/view/fold.ts';
import { codeOf } from '../base/codeOf.ts';
import { absent, realDisk, storageFault, type Disk } from './disk.ts';
import {
  describeHolder,
  tryLockFile,
  type FileLocks,
  type HeldLock,
  type Holder,
  type LockAttempt,
} from './lockFile.ts';
import { idOf, pathsOf, type SessionPaths } from './paths.ts';
import { readBack } from './readBack.ts';
import { Scan } from './scan.ts';
import { scanFile, Scans, type Scanned } from './scans.ts';
import { moveTornTail, type TornTail } from './torn.ts';
import { JsonlWriter } from './writer.ts';

export interface JsonlStoreOptions {
  /** `<home>/sessions`; made with the first event of the first Session. */
  readonly folder: string;
  readonly locks: FileLocks;
  /** What others are told of this process when it has a Session open. */
  readonly holder: Omit<Holder, 'since'>;
  readonly now: () => number;
  readonly disk?: Disk;
}

/** Sessions as files: one folder each, in it the log, one event per line (sessions.md, Persistence). */
export class JsonlStore implements SessionStore {
  readonly #options: JsonlStoreOptions;
  readonly #scans = new Scans();

  constructor(options: JsonlStoreOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<readonly StoredSession[]> {
    const names = (await absent(readdir(this.#options.folder))) ?? [];
    const found: StoredSession[] = [];
    for (const name of names.toSorted()) {
      const id = idOf(name);
      const stored = id && (await this.#listed(id, signal));
      if (stored) found.push(stored);
    }
    return found;
  }

  async inspect(id: SessionId, signal: AbortSignal): Promise<StoredSession> {
    return describe(id, await this.#scanned(id, signal));
  }

  async read(id: SessionId, from: number, to: number, signal: AbortSignal): Promise<readonly SessionEvent[]> {
    const { scan } = await this.#scanned(id, signal);
    return readBack(this.#paths(id).log, scan, { from, to, signal });
  }

  async openForWriting(header: Header, signal: AbortSignal): Promise<SessionWriter | OpenElsewhere> {
    try {
      return await this.#open(header, signal);
    } catch (fault) {
      // What the system says of a path is a fault of the disk; anything else is one of ours.
      throw codeOf(fault) === undefined ? fault : storageFault('The Session cannot be opened', fault);
    }
  }

  async #open(header: Header, signal: AbortSignal): Promise<SessionWriter | OpenElsewhere> {
    const paths = this.#paths(header.id);
    const ports = { disk: this.#options.disk ?? realDisk, takeLock: (at: SessionPaths) => this.#takeLock(at) };
    const found = await absent(this.#scans.at(paths.log, signal));
    if (!found) return new JsonlWriter({ paths, header, ...FRESH, stored: fresh(header) }, ports);
    refuse(paths.log, describe(header.id, found));
    const lock = await this.#tryLock(paths);
    if (lock.kind === 'taken') return { kind: 'open-elsewhere', holder: describeHolder(lock.by) };
    try {
      const start = await this.#start(paths, header, signal);
      return new JsonlWriter({ ...start, lock }, ports);
    } catch (fault) {
      await lock.close();
      throw fault;
    }
  }

  async verify(id: SessionId, meaning: Verifier, signal: AbortSignal): Promise<Verification> {
    const { log } = this.#paths(id);
    const file = await absent(open(log, 'r'));
    if (!file) throw notFound(id);
    const chain: Problem[] = [];
    try {
      const { size } = await file.stat();
      const visit = {
        event: (event: SessionEvent) => meaning.feed(event),
        problem: (seq: number, message: string) => void chain.push({ seq, rule: 'chain', message }),
      };
      const scan = new Scan(log);
      await scanFile(file, scan, { to: size, signal, visit });
      if (scan.torn > 0) visit.problem(scan.length, `${log} ends inside a line: ${scan.torn} bytes are incomplete`);
    } finally {
      await file.close();
    }
    const problems = [...chain, ...meaning.problems].sort((a, b) => a.seq - b.seq);
    return { ok: problems.length === 0, checked: meaning.checked, problems };
  }

  /** One damaged Session never hides the others; a folder without a log is none. */
  async #listed(id: SessionId, signal: AbortSignal): Promise<StoredSession | undefined> {
    try {
      const scanned = await absent(this.#scans.at(this.#paths(id).log, signal));
      return scanned && describe(id, scanned);
    } catch (fault) {
      signal.throwIfAborted();
      const { message } = storageFault(`${this.#paths(id).log} could not be read`, fault);
      return { id, length: 0, updated: 0, folded: NOTHING_SAID, damage: { kind: 'damaged', line: 1, message } };
    }
  }

  async #scanned(id: SessionId, signal: AbortSignal): Promise<Scanned> {
    const scanned = await absent(this.#scans.at(this.#paths(id).log, signal));
    if (!scanned) throw notFound(id);
    return scanned;
  }

  /** Under the lock: the log is scanned again, for another process may have written until a moment ago. */
  async #start(paths: SessionPaths, header: Header, signal: AbortSignal) {
    const torn = await this.#settleTail(paths, header.id, signal);
    const scanned = await this.#scans.at(paths.log, signal);
    const { scan } = scanned;
    const stored = describe(header.id, scanned);
    refuse(paths.log, stored);
    const window = await readBack(paths.log, scan, { from: scan.length - WINDOW, to: scan.length, signal });
    const seen = { callIds: new Map(scan.callIds), size: scan.end, lastHash: scan.lastHash };
    return { paths, header: stored.header ?? header, stored, window, ...seen, ...(torn && { torn }) };
  }

  async #settleTail(paths: SessionPaths, id: SessionId, signal: AbortSignal): Promise<TornTail | undefined> {
    const scanned = await this.#scans.at(paths.log, signal);
    refuse(paths.log, describe(id, scanned));
    const { scan } = scanned;
    return scan.torn > 0 ? moveTornTail(paths.log, scan.end, this.#options.now()) : undefined;
  }

  async #takeLock(paths: SessionPaths): Promise<HeldLock> {
    const lock = await this.#tryLock(paths);
    if (lock.kind === 'held') return lock;
    throw new StoreError('conflict', `Another process is writing ${paths.log}: ${describeHolder(lock.by)}`);
  }

  async #tryLock(paths: SessionPaths): Promise<LockAttempt> {
    const { holder, locks, now } = this.#options;
    try {
      return await tryLockFile(paths.lock, { ...holder, since: now() }, locks);
    } catch (fault) {
      throw storageFault(`${paths.lock} could not be locked`, fault);
    }
  }

  #paths(id: SessionId): SessionPaths {
    return pathsOf(this.#options.folder, id);
  }
}

const FRESH = { window: [], callIds: new Map<string, number>(), size: 0, lastHash: '' };

function fresh(header: Header): StoredSession {
  return { id: header.id, header, length: 0, updated: header.createdAt, folded: NOTHING_SAID };
}

function describe(id: SessionId, { scan, stats }: Scanned): StoredSession {
  const { header, length, folded } = scan;
  const damage = scan.damage ?? (header && header.id !== id ? strange(header) : undefined);
  const updated = Math.floor(stats.mtimeMs);
  return { id, ...(header && { header }), length, updated, folded, ...(damage && { damage }) };
}

/** A folder that was copied by hand: two Sessions of one id would mix. */
function strange({ id }: Header): Damage {
  return { kind: 'damaged', line: 1, message: `Its folder does not have the name of its Session, ${id}` };
}

/** What is damaged or newer is never written to: its bytes stay as they are. */
function refuse(log: string, { damage, header }: Pick<StoredSession, 'damage' | 'header'>): void {
  if (damage?.kind === 'newer') throw new StoreError('newer-version', damage.message);
  if (damage?.kind !== 'damaged') return;
  throw new StoreError(header ? 'damaged' : 'invalid-header', `${log} is not opened for writing. ${damage.message}`);
}

function notFound(id: SessionId): StoreError {
  return new StoreError('not-found', `There is no Session ${id}`);
}
