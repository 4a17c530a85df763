import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Approvals } from '../app/approval/approvals.ts';
import { Emitter } from '../app/base/emitter.ts';
import { createIds, type SessionId } from '../app/base/id.ts';
import { Cleanups } from '../app/cleanup/cleanups.ts';
import { Started } from '../app/cleanup/started.ts';
import type { Notice, Push } from '../app/contract/pushes.ts';
import { DEPLOYMENT_DEFAULT } from '../app/policy/fold.ts';
import { Presets } from '../app/policy/presets.ts';
import { launchSettings, type Settings } from '../app/policy/settings.ts';
import { enforcementFault } from '../app/sandbox/enforcement.ts';
import type { LaunchSettings } from '../app/sandbox/policy.ts';
import type { Unavailable } from '../app/sandbox/provider.ts';
import { after } from './base/after.ts';
import { ConfinedCommands } from './commands/commands.ts';
import { defaultLaunch } from './core/defaults.ts';
import { Doors } from './core/doors.ts';
import { startGuardian } from './core/guardian.ts';
import { openHost, type Host } from './core/host.ts';
import type { Shared } from './core/live.ts';
import { messageText } from './core/messageText.ts';
import { noticePush, reapedNotice } from './core/notices.ts';
import { SandboxNotices } from './core/sandboxNotices.ts';
import { historyOf, outputPush, Sessions } from './core/sessions.ts';
import { followSettings, settingsFault, settingsNotices } from './core/settingsChanges.ts';
import type { Core } from './coreShape.ts';
import { LocalFiles } from './files/files.ts';
import { logFault } from './base/logFault.ts';
import { ripgrepPath } from './native.ts';
import { SearchPath } from './core/searchPath.ts';
import type { LoginPath } from './host/loginPath.ts';
import { reapDead } from './process/reaper.ts';
import { FileJobOutputs } from './session/jobOutputs.ts';
import { Prober } from './probe/prober.ts';
import { NodeEnvironments } from './ptc/nodeProvider.ts';
import { chooseProvider } from './sandbox/choose.ts';
import type { Confiner } from './sandbox/confined.ts';
import { sha256 } from './base/sha256.ts';

export interface CoreOptions {
  /** GATEHOUSE_HOME. */
  readonly home: string;
  /** Hears of faults that are nobody's answer. */
  readonly onFault?: (fault: unknown) => void;
  /** Stands around the Provider, for tests that hold or break an ending. */
  readonly around?: (provider: Confiner) => Confiner;
  /** Asked once, in the background: a PATH that is searched behind the app's own. Nothing is, unless a host says how. */
  readonly loginPath?: (signal: AbortSignal) => Promise<LoginPath>;
  /** What programs run on: this very Node, unless said otherwise. */
  readonly node?: NodeRuntime;
}

/** An executable that is Node, or that is one with these variables: Electron with `ELECTRON_RUN_AS_NODE`. */
export interface NodeRuntime {
  readonly path: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What else of it a sandbox must see. */
  readonly needs?: readonly string[];
}

/** Builds the product, left to right. `close()` ends it right to left: nothing of it is left when that resolves. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { home: folder, onFault = report, around = same } = options;
  const node = await canonical(options.node ?? { path: process.execPath });
  const host = await openHost(folder, onFault);
  const reaped = await reapDead(host.mark, onFault);
  const guardian = startGuardian(host.instance, onFault);
  const { home, store, texts, settings, mark } = host;
  const pushes = new Emitter<Push>(onFault);
  const presets = new Presets(() => settings.current.settings.presets);
  const tell = (notice: Notice) => pushes.emit(noticePush(notice));
  const sandboxNotices = new SandboxNotices(tell);
  const heard = (provider: Confiner) => sandboxNotices.around(around(provider));
  const rooms = createRooms(host, { around: heard, node }, onFault);
  const { approvals, cleanups, programs, provider, searchPath } = rooms;
  searchPath.learn({ ask: options.loginPath, tell, onFault });
  const base = defaultLaunch(home, homedir());
  const launchOf = (from: Settings, workspace: string) => launchSettings(base, from, workspace);
  const launchNow = (workspace: string) => launchOf(settings.current.settings, workspace);
  const closing = new AbortController();
  const shared = sharing({ host, rooms, pushes, launchNow, sandboxNotices, signal: closing.signal, onFault });
  const context = { presetOf: presets.current.bind(presets), fallback: DEPLOYMENT_DEFAULT };
  const release = (id: SessionId) => provider.release(id);
  const sessions = new Sessions({ store, now: Date.now, timers: { after }, context, pushes, onFault, release, shared });
  approvals.observe((data) => pushes.emit({ push: 'approval', data }));
  cleanups.observe((cleanup) => pushes.emit({ push: 'cleanup', data: { cleanup } }));
  programs.observe((data) => pushes.emit({ push: 'environment', data }));
  // Older than every door, so each is told when it comes.
  const standing = () => [
    ...reaped.map((process) => noticePush(reapedNotice(process))),
    ...[...searchPath.standing(), ...sandboxNotices.standing()].map(noticePush),
    ...settingsNotices(settings),
  ];
  const unfollow = followSettings({ settings, sessions, launchOf, pushes, digest: sha256 });
  const end = async () => {
    unfollow();
    for (const each of [searchPath, sessions, approvals, programs, provider, guardian, settings]) await each.close();
    closing.abort(new Error('The core is closed'));
    await mark.close();
  };
  return new Doors({
    ...rooms,
    searchPath: () => searchPath.current,
    home,
    sessions,
    store,
    texts,
    presets,
    settings,
    pushes,
    launchSettings: launchNow,
    standing,
    end,
  });
}

/** What is one for all Sessions. */
function createRooms(
  { home, instance, settings }: Host,
  { around, node }: Required<Pick<CoreOptions, 'around' | 'node'>>,
  onFault: (fault: unknown) => void,
) {
  const ids = createIds(() => randomBytes(12).toString('base64url'));
  const started = new Started();
  const cleanups = new Cleanups({ newId: ids.cleanup, now: Date.now, started, onFault });
  const timer = (expired: () => void) => {
    const { approvalMs } = settings.current.settings.timeouts;
    return approvalMs === undefined ? () => undefined : after(approvalMs, expired);
  };
  const approvals = new Approvals({ newId: ids.approval, digest: sha256, timer, onFault });
  const searchPath = new SearchPath();
  const scripts = join(dirname(fileURLToPath(import.meta.url)), 'ptc');
  const { path, variables: env = {}, needs = [] } = node;
  const runtime = [path, ...needs, ripgrepPath(), scripts];
  const options = { home, instance, runtime, variables: process.env, userHome: homedir(), widenPath: searchPath.widen };
  const provider = around(chooseProvider(options));
  const budgets = () => {
    const { busyMs, wallMs, idleMs } = settings.current.settings.timeouts;
    return { busyMs, wallMs, idleMs };
  };
  const programs = new NodeEnvironments({
    provider,
    cleanups,
    started,
    newId: ids.environment,
    budgets,
    onFault,
    runtime: { argv: [path], env },
    scripts,
  });
  const prober = new Prober({ provider, runtime: { argv: [path], env }, scripts, userHome: homedir() });
  return { ids, started, cleanups, approvals, provider, programs, prober, searchPath };
}

interface Sharing {
  readonly host: Host;
  readonly rooms: ReturnType<typeof createRooms>;
  readonly pushes: Emitter<Push>;
  readonly launchNow: Shared['launchSettings'];
  readonly sandboxNotices: SandboxNotices;
  readonly signal: AbortSignal;
  readonly onFault: (fault: unknown) => void;
}

/** What all Sessions are given. */
function sharing({ host, rooms, pushes, launchNow, sandboxNotices, signal, onFault }: Sharing) {
  const { home, store, settings } = host;
  const { provider } = rooms;
  return (sessions: Sessions): Shared => ({
    ...rooms,
    ...createTools(sessions, rooms, signal),
    onFault,
    launchSettings: launchNow,
    settingsFault: () => settingsFault(settings.current),
    settings: () => settings.current.settings,
    notice: (notice) => pushes.emit(noticePush(notice)),
    messageText: (session, seq) => messageText({ session, store, seq }, signal),
    lineage: (session) => [{ sessionId: session.id, title: session.view().title }],
    confinementFault: async (id) => {
      const workspace = sessions.get(id)?.session.header.workspace ?? '';
      const fault = await confinementFault(provider, launchNow(workspace), signal);
      if (fault) sandboxNotices.failed(id, fault);
      return fault;
    },
    history: (session, through) => historyOf({ session, store, through }, signal),
    jobOutputs: new FileJobOutputs({ sessions: join(home, 'sessions'), onFault }),
    jobChanged: (job) => pushes.emit({ push: 'job', data: { job } }),
    output: (id, callId, stream, text) => pushes.emit(outputPush(id, callId, { stream, text })),
  });
}

/** What the tools of a Session work with. */
function createTools(
  sessions: Sessions,
  { provider, searchPath }: Pick<ReturnType<typeof createRooms>, 'provider' | 'searchPath'>,
  signal: AbortSignal,
) {
  const keep = (id: SessionId, text: string) => {
    const live = sessions.get(id);
    if (!live) throw new Error(`The Session ${id} is not open`);
    return live.session.keep(text);
  };
  return {
    files: new LocalFiles({ tempRoot: ({ sessionId, policy }) => provider.tempRoot(sessionId, policy, signal) }),
    commands: new ConfinedCommands({
      confiner: provider,
      keep,
      get path() {
        return searchPath.current;
      },
    }),
    rgPath: ripgrepPath(),
  };
}

async function confinementFault(
  provider: Confiner,
  settings: LaunchSettings,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  const { enforcement, message, remedy } = await provider.probe(signal);
  if (enforcement !== 'none') return enforcementFault({ mode: 'read-only', settings }, enforcement);
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, ...(remedy !== undefined && { remedy }) };
}

/** A sandbox sees what a link names, not the link. A path that is not there is told by the first launch. */
async function canonical(node: NodeRuntime): Promise<NodeRuntime> {
  return { ...node, path: await realpath(node.path).catch(() => node.path) };
}

function same(provider: Confiner): Confiner {
  return provider;
}

function report(fault: unknown): void {
  logFault(process.stderr, fault);
}
