import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { SessionId } from '../../app/base/id.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ProbeReport, Unavailable } from '../../app/sandbox/provider.ts';
import { MARK } from '../process/tree.ts';
import type { Compartment } from './compartment.ts';
import { Compartments } from './compartments.ts';
import { confine } from './confine.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from './confined.ts';
import type { Plan } from './descriptors.ts';
import { LaunchEnvironment } from './environment.ts';
import { enforcementOn, Ground, type Footing } from './ground.ts';
import type { LaunchFailure } from './launcher.ts';
import { Plain } from './plain.ts';
import { Pipes } from './pipes.ts';
import { probeLaunch } from './probe.ts';
import { Sandboxed } from './sandboxed.ts';
import { isOwned, workspaceFault } from './workspace.ts';

export interface BubblewrapOptions {
  /** GATEHOUSE_HOME: never seen from a sandbox. */
  readonly home: string;
  /** Id of this running instance: part of every mark, so that a later start knows what it left behind. */
  readonly instance: string;
  /** What must be seen read-only in every sandbox, even where it would be hidden: Node, the kernel script. */
  readonly runtime: readonly string[];
  /** The variables that a launch's environment is picked from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** HOME of every process. */
  readonly userHome: string;
  /** Where the launcher's programs are looked up; the app's own PATH unless a test says otherwise. */
  readonly path?: string;
  /** How long a kill may take before it counts as failed. */
  readonly killMs?: number;
}

const GRACE_MS = 3000;
const KILL_MS = 5000;

/** Confined processes by bubblewrap, and unconfined ones for `danger-full-access` (sandbox.md). */
export class Bubblewrap implements Confiner {
  readonly #options: BubblewrapOptions;
  readonly #ground: Ground;
  readonly #compartments: Compartments;
  readonly #environment: LaunchEnvironment;
  readonly #pipes: Pipes;
  readonly #live = new Map<ConfinedProcess, SessionId>();
  readonly #closing = new AbortController();

  constructor(options: BubblewrapOptions) {
    // A child dies with the thread that started it, not with the process.
    if (!isMainThread) throw new Error('Sandboxes are started from the main thread');
    this.#options = options;
    const path = options.path ?? process.env['PATH'] ?? '';
    this.#ground = new Ground({ path, attempt: (footing, signal) => this.#attempt(footing, signal) });
    this.#pipes = new Pipes(options.home);
    this.#compartments = new Compartments({ ...options, folder: join(options.home, 'temp'), pipes: this.#pipes });
    this.#environment = new LaunchEnvironment(options);
  }

  async probe(signal: AbortSignal): Promise<ProbeReport> {
    return this.#ground.report(signal);
  }

  async launch(request: ConfinedLaunch, signal: AbortSignal): Promise<ConfinedProcess | Unavailable> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    ended.throwIfAborted();
    const fault = await workspaceFault(request.policy);
    if (fault) return fault;
    const launch = { ...request, policy: this.#complete(request.policy) };
    const plain = launch.policy.mode === 'danger-full-access';
    const started = plain ? await this.#launchPlain(launch) : await this.#launchConfined(launch, ended);
    return started.kind === 'unavailable' ? started : this.#keep(started, request.sessionId, ended);
  }

  async tempRoot(sessionId: SessionId, policy: SandboxPolicy, signal: AbortSignal): Promise<string | Unavailable> {
    const footing = await this.#ground.footing(signal);
    if (footing.kind === 'unavailable') return footing;
    const compartment = await this.#compartment(sessionId, this.#complete(policy), footing);
    if (compartment === undefined) return unavailable('On this system each command has a private temp of its own');
    return compartment.kind === 'compartment' ? compartment.tempRoot : this.#explain(compartment);
  }

  async release(sessionId: SessionId): Promise<void> {
    await end([...this.#live].flatMap(([live, owner]) => (owner === sessionId ? [live] : [])));
    await this.#compartments.release(sessionId);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox provider is closed'));
    await end([...this.#live.keys()]);
    await this.#compartments.close();
    await this.#pipes.close();
  }

  /** Our own data is hidden whatever the settings say. */
  #complete(policy: SandboxPolicy): SandboxPolicy {
    const { settings } = policy;
    return { ...policy, settings: { ...settings, hide: [...settings.hide, this.#options.home] } };
  }

  async #launchConfined(request: ConfinedLaunch, signal: AbortSignal): Promise<Sandboxed | Unavailable> {
    const { policy, argv, cwd, stdin = 'ignore', channels = 0, sessionId } = request;
    const { runtime } = this.#options;
    const footing = await this.#ground.footing(signal);
    if (footing.kind === 'unavailable') return footing;
    const compartment = await this.#compartment(sessionId, policy, footing);
    if (compartment && compartment.kind !== 'compartment') return this.#explain(compartment);
    const env = this.#environment.of(policy, { ...request.env, ...(await trustOf(policy)) });
    const order = { policy, compartment, runtime, argv, cwd, env, stdin, channels, ...(await this.#output()) };
    const launched = await confine(footing, order, signal);
    if (launched.kind === 'failure') return this.#explain(launched);
    return new Sandboxed(launched, enforcementOn(footing), this.#endingOptions(request));
  }

  async #launchPlain({ policy, argv, cwd, stdin = 'ignore', channels = 0, ...rest }: ConfinedLaunch) {
    const env = this.#environment.of(policy, { ...rest.env, ...(await trustOf(policy)) });
    const order = { argv, env, cwd, stdin, channels, mark: env[MARK] ?? '', ...(await this.#output()) };
    const started = await Plain.start(order, this.#endingOptions(rest));
    return started.kind === 'failure' ? unavailable(started.message) : started;
  }

  async #output(): Promise<Pick<Plan, 'stdout' | 'stderr'>> {
    return { stdout: await this.#pipes.take(), stderr: await this.#pipes.take() };
  }

  async #attempt(footing: Footing, signal: AbortSignal): Promise<LaunchFailure | undefined> {
    const { sessionId, policy, ...order } = await probeLaunch();
    const compartment = await this.#compartment(sessionId, this.#complete(policy), footing);
    if (compartment && compartment.kind !== 'compartment') return asFailure(compartment);
    const env = this.#environment.of(policy, {});
    const { runtime } = this.#options;
    const output = await this.#output();
    const confinement = { ...order, ...output, policy: this.#complete(policy), compartment, runtime, env } as const;
    try {
      const launched = await confine(footing, confinement, signal);
      if (launched.kind === 'failure') return launched;
      const closed = await new Sandboxed(launched, 'none', this.#endingOptions({ graceMs: 0 })).close();
      return closed.ok ? undefined : { kind: 'failure', message: closed.error, detail: '' };
    } finally {
      await this.#compartments.release(sessionId);
    }
  }

  async #compartment(
    id: SessionId,
    policy: SandboxPolicy,
    { bwrap, nsenter }: Footing,
  ): Promise<Compartment | LaunchFailure | Unavailable | undefined> {
    if (nsenter === undefined) return undefined;
    return this.#compartments.of(id, { bwrap, nsenter, policy, env: this.#environment.of(policy, {}) });
  }

  /** A provider that was closed, or a call that was given up, while this process came up: it goes at once. */
  async #keep(started: ConfinedProcess, sessionId: SessionId, signal: AbortSignal): Promise<ConfinedProcess> {
    this.#live.set(started, sessionId);
    void started.closed.catch(() => undefined).then(() => this.#live.delete(started));
    if (!signal.aborted) return started;
    await started.close();
    throw signal.reason;
  }

  #explain(failure: LaunchFailure | Unavailable): Unavailable {
    if (failure.kind === 'unavailable') return failure;
    this.#ground.doubt();
    return { ...unavailable(failure.message), remedy: 'Run the doctor to see what this system lacks.', detail: failure.detail };
  }

  #endingOptions({ graceMs }: Pick<ConfinedLaunch, 'graceMs'>) {
    return { graceMs: graceMs ?? GRACE_MS, killMs: this.#options.killMs ?? KILL_MS };
  }
}

async function end(processes: readonly ConfinedProcess[]): Promise<void> {
  const ends = await Promise.all(processes.map((live) => live.close()));
  const failed = ends.flatMap((closed) => (closed.ok ? [] : [new Error(closed.error)]));
  if (failed.length > 0) throw new AggregateError(failed, 'Some sandboxed processes did not end');
}

/** Lets git work in a folder of another owner: for exactly this root, and for this launch alone. */
async function trustOf({ workspace: { path } }: SandboxPolicy): Promise<Readonly<Record<string, string>>> {
  if (await isOwned(path)) return {};
  return { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: path };
}

function asFailure(failure: LaunchFailure | Unavailable): LaunchFailure {
  return { kind: 'failure', message: failure.message, detail: failure.detail ?? '' };
}

function unavailable(message: string): Unavailable {
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message };
}
