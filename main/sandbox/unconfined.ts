import { existsSync } from 'node:fs';
import type { ProbeReport, Unavailable } from '../../app/sandbox/provider.ts';
import type { BubblewrapOptions } from './bubblewrap.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from './confined.ts';
import { LaunchEnvironment } from './environment.ts';
import { Live, type Owned } from './live.ts';
import { MARK } from '../process/tree.ts';
import { Pipes } from './pipes.ts';
import { Plain } from './plain.ts';
import { workspaceFault } from './workspace.ts';

export interface UnconfinedOptions extends BubblewrapOptions {
  readonly platform: string;
}

/** On a system for which there is no sandbox: confined Modes are refused with what to do, and nothing else is promised. */
export class Unconfined implements Confiner {
  readonly #options: UnconfinedOptions;
  readonly #environment: LaunchEnvironment;
  readonly #pipes: Pipes;
  readonly #live = new Live();

  constructor(options: UnconfinedOptions) {
    this.#options = options;
    this.#pipes = new Pipes(options.home);
    this.#environment = new LaunchEnvironment(options);
  }

  async probe(): Promise<ProbeReport> {
    const { message, remedy = '' } = this.#missing();
    return { provider: 'none', enforcement: 'none', message, remedy };
  }

  launch(request: ConfinedLaunch, signal: AbortSignal): Promise<ConfinedProcess | Unavailable> {
    return this.#live.start(request.sessionId, (ended) => this.#launch(request, ended), signal);
  }

  async tempRoot(): Promise<Unavailable> {
    return this.#missing();
  }

  async release(sessionId: string): Promise<void> {
    await this.#live.end(sessionId);
  }

  async close(): Promise<void> {
    try {
      await this.#live.close();
    } finally {
      await this.#pipes.close();
    }
  }

  async #launch(request: ConfinedLaunch, signal: AbortSignal): Promise<Owned | Unavailable> {
    if (request.policy.mode !== 'danger-full-access') return this.#missing();
    const fault = (await workspaceFault(request.policy)) ?? processFault();
    return fault ?? this.#start(request, signal);
  }

  async #start(request: ConfinedLaunch, signal: AbortSignal) {
    const { policy, argv, cwd, env = {}, stdin = 'ignore', channels = 0, graceMs } = request;
    const variables = this.#environment.of(policy, env);
    const plan = { argv, cwd, stdin, channels, pipes: this.#pipes, env: variables, mark: variables[MARK] ?? '' };
    const { killMs = 5000 } = this.#options;
    const started = await Plain.start(plan, { graceMs: graceMs ?? 3000, killMs }, signal);
    return started.kind === 'failure' ? unavailable(started.message) : started;
  }

  #missing(): Unavailable {
    const { platform } = this.#options;
    if (platform === 'win32')
      return unavailable(
        'Gatehouse cannot confine processes on Windows itself',
        'Use WSL 2: install Gatehouse and bubblewrap in it, and work on folders there.',
      );
    return unavailable(`Gatehouse has no sandbox for ${platform}`, 'Use it on Linux, or on macOS.');
  }
}

/** What could not be found again could not be ended either. */
function processFault(): Unavailable | undefined {
  if (existsSync('/proc/self/stat')) return undefined;
  return unavailable(
    'Gatehouse cannot follow the processes of this system, so it starts none',
    'Use WSL 2: install Gatehouse and bubblewrap in it.',
  );
}

function unavailable(message: string, remedy?: string): Unavailable {
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, ...(remedy !== undefined && { remedy }) };
}
