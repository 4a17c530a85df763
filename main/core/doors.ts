import type { Approvals } from '../../app/approval/approvals.ts';
import type { Ids, SessionId } from '../../app/base/id.ts';
import type { StartedItem } from '../../app/cleanup/cleanup.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Started } from '../../app/cleanup/started.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Input, Output } from '../../app/contract/requests.ts';
import { effective } from '../../app/policy/fold.ts';
import { isUnknown, type Preset, type Presets, type UnknownPreset } from '../../app/policy/presets.ts';
import { setApprovalPolicy, setSandboxMode } from '../../app/policy/setters.ts';
import { userDefault } from '../../app/policy/settings.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';
import { WINDOW, type SessionStore, type StoredSession } from '../../app/session/store.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { Verifier } from '../../app/session/verify.ts';
import type { Core } from '../coreShape.ts';
import type { NodeEnvironments } from '../ptc/nodeProvider.ts';
const doctor = async (..._a: unknown[]) => [];
import type { Confiner } from '../sandbox/confined.ts';
import type { SettingsFile, SettingsRefusal, SettingsReply } from '../settings/settings.ts';
import { acceptAgent } from './agents.ts';
import type { Emitter } from './emitter.ts';
import { isMissing, type Opened, type Sessions } from './sessions.ts';
import { settingsNotice } from './settingsChanges.ts';
import { acceptWorkspace, checkWorkspace, workspaceRoot } from './workspace.ts';

export interface DoorsParts {
  readonly ids: Ids;
  readonly home: string;
  readonly sessions: Sessions;
  readonly store: SessionStore;
  readonly presets: Presets;
  readonly settings: SettingsFile;
  readonly approvals: Approvals;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly provider: Confiner;
  readonly programs: NodeEnvironments;
  readonly pushes: Emitter<Push>;
  readonly launchSettings: (workspace: string) => LaunchSettings;
  readonly end: () => Promise<void>;
}

type Stopping = Output<'mode.set'>['stopping'];

const MAX_EVENTS = 1_000;
const never = new AbortController().signal;

/** What every door may ask, over the rooms that answer (contract.md, Requests). */
export class Doors implements Core {
  readonly #parts: DoorsParts;
  #closing: Promise<void> | undefined;

  constructor(parts: DoorsParts) {
    this.#parts = parts;
  }

  readonly sessions: Core['sessions'] = {
    create: (input) => this.#create(input),
    list: (input) => this.#list(input),
    open: (input) => this.#open(input),
    events: ({ sessionId, from, to }) => this.#events(sessionId, from, to),
    prompt: async ({ sessionId, text }) => {
      const live = await this.#writable(sessionId);
      return { seq: await live.turns.prompt(text, 'person') };
    },
    stop: async ({ sessionId }) => {
      await (await this.#writable(sessionId)).turns.stop('person');
      return {};
    },
    idle: async ({ sessionId }) => ({ reason: await (await this.#writable(sessionId)).turns.idle() }),
    verify: ({ sessionId }) => this.#verify(sessionId),
  };

  readonly policy: Core['policy'] = {
    presets: async ({ sessionId }) => {
      const presets = this.#parts.presets.list();
      if (sessionId === undefined) return { presets };
      const opened = await this.#opened(sessionId);
      return { presets, current: viewOf(opened).preset };
    },
    preview: async ({ sessionId, preset }) => {
      const opened = await this.#opened(sessionId);
      const state = opened.kind === 'live' ? opened.live.session.policyState() : opened.stored.folded.policy;
      const changes = known(this.#parts.presets.preview(state, preset));
      return { changes, stopping: changes.mode ? this.#stopping(sessionId, changes.mode) : [] };
    },
    setPreset: async ({ sessionId, preset }) => {
      const { session } = await this.#writable(sessionId);
      const { mode } = known(this.#parts.presets.preview(session.policyState(), preset));
      const stopping = mode ? this.#stopping(sessionId, mode) : [];
      const set = known(this.#parts.presets.set(session, preset));
      await session.flush();
      return { ...set, stopping };
    },
    setMode: async ({ sessionId, mode }) => {
      const { session } = await this.#writable(sessionId);
      const changes = effective(session.policyState()).mode !== mode;
      const stopping = changes ? this.#stopping(sessionId, mode) : [];
      const { seq } = setSandboxMode(session, mode, 'direct');
      await session.flush();
      return { seq, stopping };
    },
    setApprovalPolicy: async ({ sessionId, policy }) => {
      const { session } = await this.#writable(sessionId);
      const { seq } = setApprovalPolicy(session, policy, 'direct');
      await session.flush();
      return { seq };
    },
  };

  readonly approvals: Core['approvals'] = {
    list: async ({ sessionId }) => ({ approvals: this.#parts.approvals.list(sessionId) }),
    decide: async ({ approvalId, decision, note }, { door }) => {
      const { approvals, sessions } = this.#parts;
      const reply = approvals.decide(approvalId, decision, { door, ...(note !== undefined && { note }) });
      if (!reply) throw new RequestError('not-found', `There is no approval ${approvalId}.`);
      const owner = approvals.sessionOf(approvalId);
      if (owner) await sessions.get(owner)?.session.flush();
      return reply;
    },
  };

  readonly cleanups: Core['cleanups'] = {
    list: async ({ sessionId }) => ({ cleanups: this.#parts.cleanups.list(sessionId) }),
    // The attempt is told by pushes: a person who clicks Retry is not kept waiting for it.
    retry: async ({ cleanupId }) => {
      if (!this.#parts.cleanups.retry(cleanupId))
        throw new RequestError('not-found', `There is no cleanup ${cleanupId}.`);
      return {};
    },
  };

  readonly environments: Core['environments'] = {
    list: async ({ sessionId }) => {
      const all = this.#parts.sessions
        .all()
        .filter(({ session }) => sessionId === undefined || session.id === sessionId);
      return { environments: all.flatMap(({ environments }) => environments.list()) };
    },
    reset: async ({ sessionId }) => {
      await (await this.#writable(sessionId)).environments.reset();
      return {};
    },
  };

  readonly settings: Core['settings'] = {
    get: async () => settingsReply(await this.#parts.settings.get()),
    set: async ({ revision, changes }) => settingsReply(await this.#parts.settings.set(revision, changes)),
  };

  readonly script: Core['script'] = {
    release: async ({ sessionId, barrier }) => {
      (await this.#writable(sessionId)).barriers.release(barrier);
      return {};
    },
  };

  async doctor() {
    return { checks: await doctor(this.#parts.provider, never) };
  }

  attend(): () => void {
    return this.#parts.approvals.attend();
  }

  onPush(listener: (push: Push) => void): () => void {
    const { problem } = this.#parts.settings.current;
    if (problem) listener(settingsNotice(problem)); // It is older than this door.
    return this.#parts.pushes.listen(listener);
  }

  readEvents(sessionId: SessionId, from: number, to: number): Promise<readonly SessionEvent[]> {
    return this.#parts.store.read(sessionId, from, to, never);
  }

  close(): Promise<void> {
    this.#closing ??= this.#parts.end();
    return this.#closing;
  }

  async #create({ workspace, preset, agent, title, confirmed = [] }: Input<'session.create'>) {
    const { ids, home, sessions, presets } = this.#parts;
    const root = await acceptWorkspace({ path: workspace, confirmed, home });
    const chosen = preset === undefined ? this.#defaultPreset(root) : known(presets.find(preset));
    await this.#checkWorkspace(root, chosen.sandbox);
    const driver = await acceptAgent(agent);
    const live = await sessions.create({
      id: ids.session(),
      workspace: root,
      preset: chosen,
      ...(driver !== undefined && { agent: driver }),
      ...(title !== undefined && { title }),
    });
    return { sessionId: live.session.id };
  }

  /** A stored default that is gone never blocks: the narrowest preset stands in for it, and everybody is told. */
  #defaultPreset(root: string): Preset {
    const { preset, missing } = userDefault(this.#parts.settings.current.settings, root);
    if (missing !== undefined) {
      const message = `The default preset "${missing}" is gone; new Sessions start with "${preset.name}".`;
      const data = { noticeId: 'default-preset', level: 'warning', code: 'default-preset', message } as const;
      this.#parts.pushes.emit({ push: 'notice', data });
    }
    return preset;
  }

  async #checkWorkspace(root: string, mode: Mode): Promise<void> {
    const workspace = await workspaceRoot(root);
    if ('kind' in workspace) throw new RequestError('workspace-missing', workspace.message);
    await checkWorkspace({ mode, workspace, settings: this.#parts.launchSettings(root) });
  }

  async #list({ query, state, workspace, archived, cursor }: Input<'session.list'>) {
    if (cursor !== undefined) throw new RequestError('conflict', 'This cursor is stale: list again from the start.');
    if (archived) return { sessions: [] };
    const wanted = query?.toLowerCase();
    const rows = await this.#parts.sessions.rows();
    return {
      sessions: rows.filter(
        (row) =>
          (wanted === undefined || row.title.toLowerCase().includes(wanted)) &&
          (state === undefined || row.state === state) &&
          (workspace === undefined || row.workspace === workspace),
      ),
    };
  }

  async #open({ sessionId, after }: Input<'session.open'>): Promise<Output<'session.open'>> {
    const opened = await this.#opened(sessionId);
    if (opened.kind === 'live') await opened.live.session.flush();
    const header = opened.kind === 'live' ? opened.live.session.header : opened.stored.header;
    const view = viewOf(opened);
    const length = view.seq + 1;
    const from = after === undefined ? Math.max(0, length - WINDOW) : after + 1;
    const to = Math.min(length, from + (after === undefined ? WINDOW : MAX_EVENTS));
    const events = await this.#parts.store.read(sessionId, from, to, never);
    return { header, view, events, more: after === undefined ? from > 0 : to < length };
  }

  async #events(sessionId: SessionId, from: number, to: number): Promise<Output<'session.events'>> {
    // Looking at a Session opens nothing: no lock is taken and nothing is recovered.
    if (!this.#parts.sessions.get(sessionId)) await this.#stored(sessionId);
    return { events: await this.#parts.store.read(sessionId, from, Math.min(to, from + MAX_EVENTS), never) };
  }

  async #verify(sessionId: SessionId): Promise<Output<'session.verify'>> {
    await this.#parts.sessions.get(sessionId)?.session.flush();
    try {
      return await this.#parts.store.verify(sessionId, new Verifier(), never);
    } catch (fault) {
      throw isMissing(fault) ? notFound(sessionId, fault) : fault;
    }
  }

  async #stored(id: SessionId): Promise<StoredSession> {
    try {
      return await this.#parts.store.inspect(id, never);
    } catch (fault) {
      throw isMissing(fault) ? notFound(id, fault) : fault;
    }
  }

  async #opened(id: SessionId): Promise<Opened> {
    try {
      return await this.#parts.sessions.open(id);
    } catch (fault) {
      throw isMissing(fault) ? notFound(id, fault) : fault;
    }
  }

  async #writable(id: SessionId) {
    try {
      return await this.#parts.sessions.writable(id);
    } catch (fault) {
      throw isMissing(fault) ? notFound(id, fault) : fault;
    }
  }

  #stopping(sessionId: SessionId, mode: Mode): Stopping {
    return this.#parts.started.stoppedBy(sessionId, mode).map(shown);
  }
}

function shown({ what, id, title, mode, process }: StartedItem): Stopping[number] {
  return { what, id, title, mode, ...(process && { pid: process.pid }) };
}

function viewOf(opened: Opened) {
  return opened.kind === 'live' ? opened.live.session.view() : opened.view;
}

function known<T extends object>(found: T | UnknownPreset): T {
  // One check for all that name a preset; what is left is not the refusal.
  if (isUnknown(found)) throw new RequestError('unknown-preset', found.message);
  return found as T;
}

function settingsReply(reply: SettingsReply | SettingsRefusal): Output<'settings.get'> {
  if (!('kind' in reply)) return { revision: reply.revision, settings: reply.settings };
  throw new RequestError(reply.kind === 'malformed' ? 'conflict' : reply.kind, reply.message);
}

function notFound(id: SessionId, cause: unknown): RequestError {
  return new RequestError('not-found', `There is no Session ${id}.`, { cause });
}
