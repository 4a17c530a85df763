import type { Emitter } from '../../app/base/emitter.ts';
import { Cancelled } from '../../app/base/cancel.ts';
import type { CallId, SessionId } from '../../app/base/id.ts';
import type { Notice, Push } from '../../app/contract/pushes.ts';
import type { StorageError } from '../../app/log/journal.ts';
import { pinMissing, pinNew } from '../../app/policy/pin.ts';
import type { Preset } from '../../app/policy/presetTable.ts';
import { LOG_VERSION, type Header } from '../../app/session/header.ts';
import { recall } from '../../app/session/recall.ts';
import { Registry } from '../../app/session/registry.ts';
import { Session } from '../../app/session/session.ts';
import type { SessionStore, SessionWriter, StoredSession } from '../../app/session/store.ts';
import { toRow, type SessionRow, type ViewContext } from '../../app/session/view.ts';
import type { Timers } from '../../app/session/writeBehind.ts';
import type { OutputStream } from '../../app/tool/tool.ts';
import { LiveSession, type Shared } from './live.ts';
import { noticePush, storageNotice, tornNotice } from './notices.ts';
import { damageOf, liveOf, openedReadOnly, readable, type Opened } from './opened.ts';

export interface SessionsParts {
  readonly store: SessionStore;
  readonly now: () => number;
  readonly timers: Timers;
  readonly context: ViewContext;
  readonly pushes: Emitter<Push>;
  readonly onFault: (fault: unknown) => void;
  /** Ends the Compartment of a Session that is no longer live. */
  readonly release: (sessionId: SessionId) => Promise<void>;
  readonly shared: (sessions: Sessions) => Shared;
}

export interface NewSession {
  readonly id: SessionId;
  readonly workspace: string;
  readonly preset: Preset;
  readonly agent?: string;
  readonly title?: string;
}

/** The Sessions of this process: made, opened, found, closed. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #shared: Shared;
  readonly #registry: Registry;
  readonly #live = new Map<SessionId, LiveSession>();
  readonly #presets = new Map<SessionId, Preset>();
  readonly #opening = new Map<SessionId, Promise<Opened>>();
  readonly #rows = new Map<SessionId, string>();
  readonly #closing = new AbortController();
  #closed = false;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#shared = parts.shared(this);
    this.#registry = new Registry({ announced: (session) => this.#pin(session), disposed: () => undefined });
    this.#registry.subscribe({
      announced: (session) => this.#enliven(session),
      disposed: (session) => void this.#live.delete(session.id),
    });
  }

  /** Resolves when its first events are on disk. */
  async create(wanted: NewSession): Promise<LiveSession> {
    const { id, workspace, agent, title, preset } = wanted;
    const header: Header = {
      version: LOG_VERSION,
      id,
      createdAt: this.#parts.now(),
      workspace,
      origin: 'person',
      ...(title !== undefined && { title }),
      ...(agent !== undefined && { agent }),
    };
    const writer = await this.#parts.store.openForWriting(header, this.#closing.signal);
    if (writer.kind === 'open-elsewhere') throw new Error(`A new Session id is in use by ${writer.holder}`);
    this.#presets.set(id, preset);
    const live = await this.#begin(header, writer);
    try {
      await live.session.flush();
    } catch (fault) {
      // Nobody learns its id, so nothing of it may stay behind.
      await this.#end(live);
      throw fault;
    }
    return live;
  }

  get(id: SessionId): LiveSession | undefined {
    return this.#live.get(id);
  }

  all(): readonly LiveSession[] {
    return Array.from(this.#live.values());
  }

  /** Takes the writing lock where it is free and recovers first; else shows what is there. */
  open(id: SessionId): Promise<Opened> {
    const live = this.#live.get(id);
    if (live) return Promise.resolve({ kind: 'live', live });
    const opening = this.#opening.get(id) ?? this.#open(id).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /** For what needs to write. Refuses with `read-only`, `damaged` or `newer-version` where that cannot be. */
  async writable(id: SessionId): Promise<LiveSession> {
    return liveOf(await this.open(id));
  }

  /** Each Session once, a live one with its live content; the newest first. */
  async rows(): Promise<readonly SessionRow[]> {
    const rows = new Map<SessionId, SessionRow>();
    for (const stored of await this.#parts.store.list(this.#closing.signal))
      rows.set(stored.id, this.#storedRow(stored));
    for (const { session } of this.#live.values()) rows.set(session.id, this.#row(session));
    return Array.from(rows.values()).toSorted((one, other) => other.updated - one.updated);
  }

  row(id: SessionId): SessionRow | undefined {
    const live = this.#live.get(id);
    return live && this.#row(live.session);
  }

  /** Tells of each row that has become another without an event of its Session. */
  pushRows(): void {
    for (const { session } of this.#live.values()) this.#pushRow(session);
  }

  /** Ends every turn, then every Session. Nothing of them is left when it resolves. */
  async close(): Promise<void> {
    await Promise.allSettled(Array.from(this.#opening.values()));
    this.#closed = true;
    await Promise.all(this.all().map((live) => this.#end(live)));
    this.#closing.abort(new Cancelled({ kind: 'shutdown' }));
  }

  async #end(live: LiveSession): Promise<void> {
    const { session } = live;
    await live.close().catch(this.#parts.onFault);
    await this.#parts.release(session.id).catch(this.#parts.onFault);
    await this.#registry.remove(session, this.#parts.onFault).catch(this.#parts.onFault);
  }

  async #open(id: SessionId): Promise<Opened> {
    const { store, context } = this.#parts;
    const stored = readable(await store.inspect(id, this.#closing.signal));
    const damaged = damageOf(stored.damage);
    if (damaged) return openedReadOnly(stored, damaged, context);
    const writer = await store.openForWriting(stored.header, this.#closing.signal);
    if (writer.kind === 'open-elsewhere')
      return openedReadOnly(stored, { reason: 'open-elsewhere', holder: writer.holder }, context);
    const live = await this.#begin(stored.header, writer);
    if (writer.torn) this.#noticeTorn(live, writer.torn);
    return { kind: 'live', live };
  }

  async #begin(header: Header, writer: SessionWriter): Promise<LiveSession> {
    if (this.#closed) {
      // It would come to life behind the last look of `close`, and nobody would end it.
      await writer.close();
      throw new Cancelled({ kind: 'shutdown' });
    }
    const { now, timers, onFault, context } = this.#parts;
    const onTrouble = (trouble: StorageError | undefined) => this.#notice(storageNotice(header.id, trouble));
    const session = new Session({ header, writer, now, timers, onFault, onTrouble, context });
    try {
      this.#registry.create(session);
    } catch (fault) {
      await session.close();
      throw fault;
    }
    const live = this.#live.get(session.id);
    if (!live) throw new Error('A Session that was announced is not live');
    return live;
  }

  #pin(session: Session): void {
    const preset = this.#presets.get(session.id);
    this.#presets.delete(session.id);
    if (preset) pinNew(session, preset);
    else if (session.header.parent === undefined) pinMissing(session);
  }

  #enliven(session: Session): void {
    session.durable((batch) => {
      for (const event of batch) this.#parts.pushes.emit({ push: 'event', data: { sessionId: session.id, event } });
      this.#pushRow(session);
    });
    this.#live.set(session.id, new LiveSession(session, this.#shared));
  }

  #pushRow(session: Session): void {
    const row = this.#row(session);
    const { updated: _always, ...shown } = row;
    const text = JSON.stringify(shown);
    if (this.#rows.get(session.id) === text) return;
    this.#rows.set(session.id, text);
    this.#parts.pushes.emit({ push: 'session', data: { row } });
  }

  #row(session: Session): SessionRow {
    const { id, header, folded, window } = session;
    const updated = window.at(-1)?.time ?? header.createdAt;
    return toRow({ id, header, folded, updated, damaged: false }, this.#parts.context);
  }

  #storedRow(stored: StoredSession): SessionRow {
    const damaged = stored.damage !== undefined && stored.damage.kind !== 'torn';
    return toRow({ ...stored, damaged }, this.#parts.context);
  }

  #noticeTorn({ session }: LiveSession, torn: NonNullable<SessionWriter['torn']>): void {
    const notice = tornNotice(session.id, torn);
    this.#notice(notice);
    session.append({ type: 'session/notice', data: { code: notice.code, message: notice.message } });
  }

  #notice(data: Notice): void {
    this.#parts.pushes.emit(noticePush(data));
  }
}

/** What a door is told of a call while it runs. */
export function outputPush(sessionId: SessionId, callId: CallId, output: { stream: OutputStream; text: string }): Push {
  return { push: 'output', data: { sessionId, callId, ...output } };
}

/** The model history of a Session up to and including `through`, read back through the store. */
export async function historyOf(
  { session, store, through }: { readonly session: Session; readonly store: SessionStore; readonly through: number },
  signal: AbortSignal,
) {
  await session.flush();
  return await recall((from, to) => store.read(session.id, from, to, signal), through);
}
