import { createHash, randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Approvals } from '../app/approval/approvals.ts';
import { createIds, type SessionId } from '../app/base/id.ts';
import { Cleanups } from '../app/cleanup/cleanups.ts';
import { Started } from '../app/cleanup/started.ts';
import type { Push } from '../app/contract/pushes.ts';
import { DEPLOYMENT_DEFAULT } from '../app/policy/fold.ts';
import { Presets } from '../app/policy/presets.ts';
import { launchSettings, type Settings } from '../app/policy/settings.ts';
import type { Session } from '../app/session/session.ts';
import { ConfinedCommands } from './commands/commands.ts';
import { defaultLaunch } from './core/defaults.ts';
import { Doors } from './core/doors.ts';
import { Emitter } from './core/emitter.ts';
import type { Shared } from './core/live.ts';
import { historyOf, outputPush, Sessions } from './core/sessions.ts';
import { followSettings } from './core/settingsChanges.ts';
import type { Core } from './coreShape.ts';
import { LocalFiles } from './files/files.ts';
import { loadLocks, ripgrepPath } from './native.ts';
import { identityOf } from './process/identity.ts';
const reapDead = async (_a: unknown, _b: unknown) => {};
import { NodeEnvironments } from './ptc/nodeProvider.ts';
import { Bubblewrap } from './sandbox/bubblewrap.ts';
import type { Confiner } from './sandbox/confined.ts';
import { holdInstance } from './session/instances.ts';
import { JsonlStore } from './session/jsonlStore.ts';
import { openSettings } from './settings/settings.ts';

export interface CoreOptions {
  /** GATEHOUSE_HOME. */
  readonly home: string;
  /** Hears of faults that are nobody's answer. */
  readonly onFault?: (fault: unknown) => void;
  /** Stands around the Provider, for tests that hold or break an ending. */
  readonly around?: (provider: Confiner) => Confiner;
}

const HOUSE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Builds the product, left to right. `close()` ends it right to left: nothing of it is left when that resolves. */
export async function createCore({ home: wanted, onFault = report, around = same }: CoreOptions): Promise<Core> {
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const home = await realpath(wanted);
  const locks = loadLocks();
  const instance = randomBytes(8).toString('hex');
  const self = identityOf(process.pid);
  const holder = { instance, pid: process.pid, startTime: self?.startTime ?? '', since: Date.now() };
  const mark = await holdInstance(join(home, 'instances'), { holder, locks });
  await reapDead(mark, onFault);
  const settings = await openSettings({ file: join(home, 'settings.json'), onFault });
  const pushes = new Emitter<Push>(onFault);
  const ids = createIds(() => randomBytes(12).toString('base64url'));
  const started = new Started();
  const now = () => Date.now();
  const cleanups = new Cleanups({ newId: ids.cleanup, now, started, onFault });
  const approvals = new Approvals({ newId: ids.approval, digest: sha256, onFault });
  const presets = new Presets(() => settings.current.settings.presets);
  const rgPath = ripgrepPath();
  const provider = around(
    new Bubblewrap({
      home,
      instance,
      runtime: [process.execPath, rgPath, join(HOUSE, 'main', 'ptc')],
      variables: process.env,
      userHome: homedir(),
    }),
  );
  const { busyMs, wallMs, idleMs } = settings.current.settings.timeouts;
  const programs = new NodeEnvironments({
    provider,
    cleanups,
    started,
    newId: ids.environment,
    budgets: { busyMs, wallMs, idleMs },
  });
  const store = new JsonlStore({ folder: join(home, 'sessions'), locks, holder, now });
  const closing = new AbortController();
  const base = defaultLaunch(home, homedir());
  const launchOf = (from: Settings, workspace: string) => launchSettings(base, from, workspace);
  const settingsOf = (workspace: string) => launchOf(settings.current.settings, workspace);
  const shared = (sessions: Sessions): Shared => ({
    approvals,
    cleanups,
    started,
    programs,
    rgPath,
    onFault,
    launchSettings: settingsOf,
    files: new LocalFiles({
      tempRoot: ({ sessionId, policy }) => provider.tempRoot(sessionId, policy, closing.signal),
    }),
    commands: new ConfinedCommands({
      confiner: provider,
      keep: (id, text) => sessionOf(sessions, id).keep(text),
      path: process.env['PATH'] ?? '',
    }),
    lineage: (session) => [{ sessionId: session.id, title: session.view().title }],
    history: (session) => historyOf(session, store, closing.signal),
    output: (id, callId, stream, text) => pushes.emit(outputPush(id, callId, { stream, text })),
  });
  const context = { presetOf: presets.current.bind(presets), fallback: DEPLOYMENT_DEFAULT };
  const timers = { after };
  const release = (id: SessionId) => provider.release(id);
  const sessions = new Sessions({ store, now, timers, context, pushes, onFault, release, shared });
  approvals.observe((data) => pushes.emit({ push: 'approval', data }));
  cleanups.observe((cleanup) => pushes.emit({ push: 'cleanup', data: { cleanup } }));
  programs.observe((data) => pushes.emit({ push: 'environment', data }));
  const unfollow = followSettings({ settings, sessions, launchOf, pushes, digest: sha256 });
  const end = async () => {
    unfollow();
    await sessions.close();
    await approvals.close();
    await programs.close();
    await provider.close();
    await settings.close();
    closing.abort(new Error('The core is closed'));
    await mark.close();
  };
  return new Doors({
    ids,
    home,
    sessions,
    store,
    presets,
    settings,
    approvals,
    cleanups,
    started,
    provider,
    pushes,
    launchSettings: settingsOf,
    end,
  });
}

function sessionOf(sessions: Sessions, id: SessionId): Session {
  const live = sessions.get(id);
  if (!live) throw new Error(`The Session ${id} is not open`);
  return live.session;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function after(ms: number, job: () => void): () => void {
  const timer = setTimeout(job, ms);
  return () => clearTimeout(timer);
}

function same(provider: Confiner): Confiner {
  return provider;
}

function report(fault: unknown): void {
  process.stderr.write(`gatehouse: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`);
}
