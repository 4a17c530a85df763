import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { SessionId } from '../../app/base/id.ts';
import { enforcementFault } from '../../app/sandbox/enforcement.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ProbeReport, Unavailable } from '../../app/sandbox/provider.ts';
import { MARK } from '../process/tree.ts';
import type { Compartment } from './compartment.ts';
import { Compartments } from './compartments.ts';
import { completePolicy } from './complete.ts';
import { confine } from './confine.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from './confined.ts';
import { LaunchEnvironment } from './environment.ts';
import { enforcementOn, Ground, type Footing } from './ground.ts';
import { HiddenWatch } from './hiddenWatch.ts';
import type { LaunchFailure } from './launcher.ts';
import { Live, type Owned } from './live.ts';
import { lookAt } from './look.ts';
import { Pipes } from './pipes.ts';
import { Plain } from './plain.ts';
import { probeLaunch } from './probe.ts';
import { NO_PROTECTION } from './protection.ts';
import { Sandboxed } from './sandboxed.ts';
import { tempBefore } from './tempUse.ts';
import { Watch } from './watch.ts';
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
  /** The folders of a PATH, and behind them what is known by now of the login shell's. */
  readonly widenPath?: (own: string) => string;
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
  readonly #live = new Live();
  readonly #watch = new Watch();
  readonly #hiddenWatch = new HiddenWatch();

  constructor(options: BubblewrapOptions) {
    // A child dies with the thread that started it, not with the process.
    if (!isMainThread) throw new Error('Sandboxes are started from the main thread');
    this.#options = options;
    this.#pipes = new Pipes(options.home);
    this.#compartments = new Compartments({ ...options, folder: join(options.home, 'temp'), pipes: this.#pipes });
    this.#environment = new LaunchEnvironment(options);
    const path = options.path ?? process.env['PATH'] ?? '';
    this.#ground = new Ground({
      path: () => options.widenPath?.(path) ?? path,
      attempt: (footing) => this.#attempt(footing),
    });
  }

  async probe(): Promise<ProbeReport> {
    return this.#live.during('probe', () => this.#ground.report());
  }

  async launch(request: ConfinedLaunch, signal: AbortSignal): Promise<ConfinedProcess | Unavailable> {
    return this.#live.start(request.sessionId, (ended) => this.#launch(request, ended), signal);
  }

  async tempRoot(sessionId: SessionId, policy: SandboxPolicy, signal: AbortSignal): Promise<string | Unavailable> {
    signal.throwIfAborted();
    return this.#live.during(sessionId, async () => {
      const footing = await this.#ground.footing();
      if (footing.kind === 'unavailable') return footing;
      const compartment = await this.#compartment(sessionId, this.#complete(policy), footing);
      if (compartment === undefined) return unavailable('On this system each command has a private temp of its own');
      return compartment.kind === 'compartment' ? compartment.tempRoot : this.#explain(compartment);
    });
  }

  async release(sessionId: SessionId): Promise<void> {
    await this.#live.end(sessionId);
    await this.#compartments.release(sessionId);
  }

  async close(): Promise<void> {
    try {
      await this.#live.close();
    } finally {
      await this.#compartments.close();
      await this.#pipes.close();
    }
  }

  async #launch(request: ConfinedLaunch, signal: AbortSignal): Promise<Owned | Unavailable> {
    const fault = await workspaceFault(request.policy);
    if (fault) return fault;
    const launch = { ...request, policy: this.#complete(request.policy) };
    return launch.policy.mode === 'danger-full-access'
      ? this.#launchPlain(launch, signal)
      : this.#launchConfined(launch, signal);
  }

  #complete(policy: SandboxPolicy): SandboxPolicy {
    return completePolicy(policy, this.#options.home);
  }

  async #launchConfined(request: ConfinedLaunch, signal: AbortSignal): Promise<Sandboxed | Unavailable> {
    const footing = await this.#ground.footing();
    if (footing.kind === 'unavailable') return footing;
    const { policy, sessionId } = request;
    const lacking = enforcementFault(policy, enforcementOn(footing));
    if (lacking) return lacking;
    const [compartment, plan] = await Promise.all([this.#compartment(sessionId, policy, footing), this.#plan(request)]);
    if (compartment && compartment.kind !== 'compartment') return this.#explain(compartment);
    const temp = await tempBefore(compartment?.tempRoot);
    const look = lookAt(request.policy, this.#options);
    if ('kind' in look) return look;
    const { protection } = look;
    const launched = await confine(footing, { ...plan, ...look, compartment }, signal);
    if (launched.kind === 'failure') return this.#explain(launched);
    const options = { enforcement: enforcementOn(footing), limits: policy.settings.limits, protection };
    const started = new Sandboxed(launched, { ...options, ...temp, ...this.#endingOptions(request) });
    this.#watch.add(started, started.exited);
    this.#hiddenWatch.add({ policy, protection, reveal: (path) => started.reveal(path) }, started.exited);
    return started;
  }

  async #launchPlain(request: ConfinedLaunch, signal: AbortSignal): Promise<Plain | Unavailable> {
    const plan = await this.#plan(request);
    const order = { ...plan, mark: plan.env[MARK] ?? '' };
    const started = await Plain.start(order, this.#endingOptions(request), signal);
    return started.kind === 'failure' ? unavailable(started.message) : started;
  }

  /** The whole way of a real launch, for something harmless. */
  async #attempt(footing: Footing): Promise<LaunchFailure | undefined> {
    const request = await probeLaunch();
    const policy = this.#complete(request.policy);
    try {
      const compartment = await this.#compartment(request.sessionId, policy, footing);
      if (compartment && compartment.kind !== 'compartment') return asFailure(compartment);
      const plan = await this.#plan({ ...request, policy });
      const look = lookAt(request.policy, this.#options);
      if ('kind' in look) return asFailure(look);
      const launched = await confine(footing, { ...plan, ...look, compartment }, new AbortController().signal);
      if (launched.kind === 'failure') return launched;
      const options = { enforcement: 'none', ...(await tempBefore(undefined)), protection: NO_PROTECTION } as const;
      const { limits } = policy.settings;
      const closed = await new Sandboxed(launched, { ...options, limits, ...this.#endingOptions(request) }).close();
      return closed.ok ? undefined : { kind: 'failure', message: closed.error, detail: '' };
    } finally {
      await this.#compartments.release(request.sessionId);
    }
  }

  async #plan({ policy, argv, cwd, stdin = 'ignore', channels = 0, env }: ConfinedLaunch) {
    const variables = this.#environment.of(policy, { ...env, ...(await trustOf(policy)) });
    return { policy, argv, cwd, stdin, channels, env: variables, pipes: this.#pipes } as const;
  }

  async #compartment(
    id: SessionId,
    policy: SandboxPolicy,
    { bwrap, nsenter }: Footing,
  ): Promise<Compartment | LaunchFailure | Unavailable | undefined> {
    if (nsenter === undefined) return undefined;
    return this.#compartments.of(id, { bwrap, nsenter, policy, env: this.#environment.of(policy, {}) });
  }

  #explain(failure: LaunchFailure | Unavailable): Unavailable {
    if (failure.kind === 'unavailable') return failure;
    this.#ground.doubt();
    return {
      ...unavailable(failure.message),
      remedy: 'Run the doctor to see what this system lacks.',
      detail: failure.detail,
    };
  }

  #endingOptions({ graceMs }: Pick<ConfinedLaunch, 'graceMs'>) {
    return { graceMs: graceMs ?? GRACE_MS, killMs: this.#options.killMs ?? KILL_MS };
  }
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
