import { join } from 'node:path';
import { Emitter } from '../../app/base/emitter.ts';
import type { EnvironmentId } from '../../app/base/id.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Started } from '../../app/cleanup/started.ts';
import { DEPLOYMENT_DEFAULT, type PolicyPair } from '../../app/policy/fold.ts';
import type {
  EnvironmentRequest,
  EnvironmentSession,
  NodeProvider,
  PreparedProgram,
  SyntaxFault,
} from '../../app/ptc/nodeProvider.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { Confiner } from '../sandbox/confined.ts';
import { DEFAULT_BUDGETS, type Budgets } from './budgets.ts';
import { NodeEnvironment, type EnvironmentChange } from './environment.ts';
import type { NormalisedProgram } from './normalise.ts';
import { ProgramParser } from './parser.ts';
import { SessionNodeEnvironments, type Starting } from './sessionEnvironments.ts';
import { SpareHolder } from './spareHolder.ts';
import { realTimers, type Timers } from './timers.ts';

export interface NodeEnvironmentsOptions {
  readonly provider: Pick<Confiner, 'launch'>;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly newId: () => EnvironmentId;
  /** Hears of observers that threw. */
  readonly onFault: (fault: unknown) => void;
  /** What runs a script: this Node, unless said otherwise. */
  readonly runtime?: Runtime;
  /** The folder of the scripts that run inside: this one, unless this file became a part of a bundle. */
  readonly scripts?: string;
  /** What is in force while a log says nothing. */
  readonly fallback?: PolicyPair;
  /** What is in force now; asked at each call. */
  readonly budgets?: () => Partial<Budgets>;
  readonly timers?: Timers;
}

export interface Runtime {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** The Node provider of this process: all Environments of all Sessions (ptc.md). */
export class NodeEnvironments implements NodeProvider {
  readonly #options: NodeEnvironmentsOptions;
  readonly #timers: Timers;
  readonly #sessions = new Set<SessionNodeEnvironments>();
  readonly #changes: Emitter<EnvironmentChange>;
  readonly #parser: ProgramParser;
  readonly #spare: SpareHolder;
  readonly #prepared = new WeakMap<PreparedProgram, NormalisedProgram>();
  #closing: Promise<void> | undefined;

  constructor(options: NodeEnvironmentsOptions) {
    this.#options = options;
    this.#changes = new Emitter(options.onFault);
    this.#timers = options.timers ?? realTimers;
    this.#spare = new SpareHolder(this.#timers);
    this.#parser = new ProgramParser({ scripts: options.scripts ?? import.meta.dirname });
  }

  async prepare(code: string, signal: AbortSignal): Promise<PreparedProgram | SyntaxFault> {
    const program = await this.#parser.parse(code, signal);
    if (program.kind === 'program') this.#prepared.set(program, program);
    return program;
  }

  attach(session: EnvironmentSession): SessionNodeEnvironments {
    if (this.#closing) throw new Error('The Node provider is closed');
    const environments: SessionNodeEnvironments = new SessionNodeEnvironments({
      session,
      fallback: this.#options.fallback ?? DEPLOYMENT_DEFAULT,
      start: (request, starting, signal) => this.#start({ session, request, starting }, signal),
      mayHaveSpare: (spare) => this.#spare.mayHave(spare),
      prepared: (program) => this.#normalised(program),
      detached: () => void this.#sessions.delete(environments),
    });
    this.#sessions.add(environments);
    return environments;
  }

  /** Told of every start and end, and of every program that begins or is over. The returned function ends it. */
  observe(listener: (change: EnvironmentChange) => void): () => void {
    return this.#changes.listen(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ends = Array.from(this.#sessions, (each) => each.end({ kind: 'unload' }));
    await Promise.all([...ends, this.#parser.close()]);
  }

  #budgets(): Budgets {
    return { ...DEFAULT_BUDGETS, ...this.#options.budgets?.() };
  }

  #normalised(program: PreparedProgram): NormalisedProgram {
    const normalised = this.#prepared.get(program);
    if (!normalised) throw new Error('A program that this provider did not prepare');
    return normalised;
  }

  async #start({ session, request, starting }: Start, signal: AbortSignal): Promise<NodeEnvironment | Unavailable> {
    const { provider, newId, cleanups, started } = this.#options;
    const fault = tooSmall(request.policy);
    if (fault) return fault;
    const { spare } = starting;
    const process = await provider.launch(this.#launch(session, request, spare), signal);
    if (process.kind === 'unavailable') return process;
    const environment = new NodeEnvironment({
      id: newId(),
      session,
      request,
      process,
      cleanups,
      started,
      spare,
      budgets: () => this.#budgets(),
      timers: this.#timers,
      changed: (change) => this.#changes.emit(change),
    });
    starting.add(environment);
    return this.#awaitReady(environment, signal);
  }

  #launch(session: EnvironmentSession, { policy, owner }: EnvironmentRequest, spare: boolean) {
    const { scripts = import.meta.dirname, runtime = THIS_NODE } = this.#options;
    const { argv, env } = runtime;
    const [program, ...flags] = argv;
    const heap = Math.max(16, Math.floor(policy.settings.limits.heapBytes / (1024 * 1024)));
    // A spare may become either kind.
    const watched = owner !== undefined || spare;
    const script = [
      `--max-old-space-size=${heap}`,
      '--disable-warning=ExperimentalWarning',
      join(scripts, 'kernel.cjs'),
      watched ? 'watched' : 'plain',
    ];
    return {
      sessionId: session.id,
      policy,
      argv: [program, ...flags, ...script] as const,
      cwd: policy.workspace.path,
      ...(env && { env }),
      channels: watched ? 2 : 1,
      // It has nothing to save, and a program may have taught it to ignore the question.
      graceMs: 0,
    };
  }

  /** A kernel that does not answer is no Environment: it is ended, and its owner is told what it said. */
  async #awaitReady(environment: NodeEnvironment, signal: AbortSignal): Promise<NodeEnvironment | Unavailable> {
    const late = Promise.withResolvers<'late'>();
    const cancel = this.#timers.after(this.#budgets().startMs, () => late.resolve('late'));
    const abort = () => environment.end('released', { kind: 'stop' });
    signal.addEventListener('abort', abort, { once: true });
    try {
      if (signal.aborted) abort();
      // An end that fails is known long before its process is gone, if that ever comes.
      const over = environment.outcome().then(({ error }) => (error === undefined ? environment.gone : undefined));
      const first = await Promise.race([environment.ready.then(() => 'ready'), over, late.promise]);
      if (first === 'ready') {
        if (environment.isSpare) environment.rest();
        return environment;
      }
      if (!environment.reason) environment.end('timeout', { kind: 'limit' });
      signal.throwIfAborted();
      return unavailable(environment.stderr);
    } finally {
      cancel();
      signal.removeEventListener('abort', abort);
    }
  }
}

interface Start {
  readonly session: EnvironmentSession;
  readonly request: EnvironmentRequest;
  readonly starting: Starting;
}

/** With less V8 cannot reserve what it starts with, and dies without a word that a person could use. */
const LEAST_DATA_BYTES = 1.5 * 2 ** 30;

function tooSmall({ mode, settings: { limits } }: SandboxPolicy): Unavailable | undefined {
  if (mode === 'danger-full-access' || limits.dataBytes >= LEAST_DATA_BYTES) return undefined;
  return {
    kind: 'unavailable',
    code: 'SANDBOX_UNAVAILABLE',
    message: `The setting launch.limits.dataBytes is ${limits.dataBytes}, and no program starts with less than ${LEAST_DATA_BYTES}`,
    remedy: `Set it to ${LEAST_DATA_BYTES} (1.5 GiB) or more; launch.limits.memoryBytes is what bounds a whole program.`,
  };
}

const THIS_NODE: Runtime = { argv: [process.execPath] };

function unavailable(detail: string): Unavailable {
  return {
    kind: 'unavailable',
    code: 'SANDBOX_UNAVAILABLE',
    message: 'The runtime of programs did not start',
    remedy: 'Check that Node is installed where Gatehouse expects it and that the sandbox can read it.',
    ...(detail !== '' && { detail }),
  };
}
