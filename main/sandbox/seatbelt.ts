import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import { enforcementFault } from '../../app/sandbox/enforcement.ts';
import { isWithin, TEMP } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ProbeReport, Unavailable } from '../../app/sandbox/provider.ts';
import { makeFolder } from '../base/makeFolder.ts';
import type { BubblewrapOptions } from './bubblewrap.ts';
import { completePolicy } from './complete.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from './confined.ts';
import { LaunchEnvironment } from './environment.ts';
import { Live } from './live.ts';
import { lookAt } from './look.ts';
import { Pipes } from './pipes.ts';
import { probeLaunch } from './probe.ts';
import { findProgram } from './programs.ts';
import { NO_PROTECTION } from './protection.ts';
import { ProcessGroup } from './seatbelt/group.ts';
import { seatbeltArguments } from './seatbelt/profile.ts';
import { workspaceFault } from './workspace.ts';

const GRACE_MS = 3000;
const KILL_MS = 5000;
const PART =
  'Confined Modes are enforced in part: /tmp is that of the host and read-only, TMPDIR is private; limits and what leaves its process group are not enforced';

/**
 * Confined processes by `sandbox-exec` of macOS. It has never run on one: the profile, the command line, the refusals and
 * the endings are tested where this repository is (see the tests beside it), the enforcement by the system is not.
 */
export class Seatbelt implements Confiner {
  readonly #options: BubblewrapOptions;
  readonly #environment: LaunchEnvironment;
  readonly #pipes: Pipes;
  readonly #live = new Live();
  /** Of Sessions of this process: others may have theirs in the same folder. */
  readonly #temps = new Set<SessionId>();

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#pipes = new Pipes(options.home);
    this.#environment = new LaunchEnvironment(options);
  }

  async probe(signal: AbortSignal): Promise<ProbeReport> {
    const { sessionId, ...request } = await probeLaunch();
    const started = await this.launch({ ...request, sessionId }, signal);
    if (started.kind === 'unavailable') return reportOf(started);
    const { exitCode } = await started.exited;
    await started.close();
    await this.release(sessionId);
    if (exitCode === 0) return { provider: 'seatbelt', enforcement: 'partial', message: PART };
    return reportOf(
      unavailable('This system does not let sandbox-exec confine anything', 'Run Gatehouse outside of a sandbox.'),
    );
  }

  launch(request: ConfinedLaunch, signal: AbortSignal): Promise<ConfinedProcess | Unavailable> {
    return this.#live.start(request.sessionId, (ended) => this.#launch(request, ended), signal);
  }

  async tempRoot(sessionId: SessionId, _policy: SandboxPolicy, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    return this.#live.during(sessionId, () => this.#temp(sessionId));
  }

  async release(sessionId: SessionId): Promise<void> {
    await this.#live.end(sessionId);
    if (this.#temps.delete(sessionId)) await rm(this.#tempOf(sessionId), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    try {
      await this.#live.close();
    } finally {
      await this.#pipes.close();
      await Promise.all([...this.#temps].map((sessionId) => this.release(sessionId)));
    }
  }

  async #launch(request: ConfinedLaunch, signal: AbortSignal): Promise<ProcessGroup | Unavailable> {
    const fault = await workspaceFault(request.policy);
    if (fault) return fault;
    const isPlain = request.policy.mode === 'danger-full-access';
    const found = await (isPlain ? this.#launchPlain(request, signal) : this.#confine(request, signal));
    return found.kind === 'failure' ? unavailable(found.message) : found;
  }

  #launchPlain(request: ConfinedLaunch, signal: AbortSignal) {
    const { policy, env = {} } = request;
    const options = { enforcement: 'none', protection: NO_PROTECTION, ...this.#endingOptions(request) } as const;
    return ProcessGroup.start({ ...this.#plan(request), env: this.#environment.of(policy, env) }, options, signal);
  }

  async #confine(request: ConfinedLaunch, signal: AbortSignal) {
    const { sessionId, argv, cwd, env = {} } = request;
    const policy = completePolicy(request.policy, this.#options.home);
    const lacking = enforcementFault(policy, 'partial');
    if (lacking) return lacking;
    const program = await findProgram('sandbox-exec', this.#options.path ?? '/usr/bin');
    if (program === undefined)
      return unavailable('The sandbox needs sandbox-exec, which is not on this system', MISSING);
    const temp = await this.#temp(sessionId);
    const look = lookAt(request.policy, this.#options);
    if ('kind' in look) return look;
    const plan = {
      ...this.#plan(request),
      argv: seatbeltArguments(program, { ...look, temp }, argv),
      cwd: isWithin(cwd, TEMP) ? temp + cwd.slice(TEMP.length) : cwd,
      env: this.#environment.of(policy, env, temp),
    };
    const options = { enforcement: 'partial', protection: look.protection, ...this.#endingOptions(request) } as const;
    return ProcessGroup.start(plan, options, signal);
  }

  #plan({ argv, cwd, stdin = 'ignore', channels = 0 }: ConfinedLaunch) {
    return { argv, cwd, stdin, channels, pipes: this.#pipes };
  }

  /** Canonical, because rules are about what the system calls a path. */
  async #temp(sessionId: SessionId): Promise<string> {
    const folder = this.#tempOf(sessionId);
    this.#temps.add(sessionId);
    await makeFolder(folder, 0o700);
    return realpath(folder);
  }

  #tempOf(sessionId: SessionId): string {
    return join(this.#options.home, 'temp', sessionId);
  }

  #endingOptions({ graceMs }: Pick<ConfinedLaunch, 'graceMs'>) {
    return { graceMs: graceMs ?? GRACE_MS, killMs: this.#options.killMs ?? KILL_MS };
  }
}

const MISSING = 'Put /usr/bin/sandbox-exec of macOS back, or use a macOS that has it.';

function reportOf({ message, remedy }: Unavailable): ProbeReport {
  return { provider: 'seatbelt', enforcement: 'none', message, ...(remedy !== undefined && { remedy }) };
}

function unavailable(message: string, remedy?: string): Unavailable {
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, ...(remedy !== undefined && { remedy }) };
}
