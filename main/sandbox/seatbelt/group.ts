import { execFile } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Closed, EndPhase, Enforcement, Exit, ProcessIdentity } from '../../../app/sandbox/provider.ts';
import { codeOf } from '../../base/codeOf.ts';
import { Ending, type EndingOptions } from '../../process/ending.ts';
import { spawnPlanned, type Plan, type Spawned } from '../descriptors.ts';
import { exitOf, type LaunchFailure } from '../launcher.ts';
import type { Owned } from '../live.ts';
import type { Protection } from '../protection.ts';
import { releaseStreams } from '../streams.ts';

export interface GroupOptions extends EndingOptions {
  readonly enforcement: Enforcement;
  readonly protection: Protection;
}

/**
 * A process and all of its group, where the system has neither pid namespaces nor a process table to read. What leaves the
 * group is not found again: a reason for which such a system enforces only a part.
 */
export class ProcessGroup implements Owned {
  readonly kind = 'process';
  readonly exceeded = undefined;
  readonly left = 0;
  readonly identity: ProcessIdentity;
  readonly enforcement: Enforcement;
  readonly protection: Protection;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  readonly exited: Promise<Exit>;
  readonly #ending: Ending;

  static async start(plan: Plan, options: GroupOptions, signal: AbortSignal): Promise<ProcessGroup | LaunchFailure> {
    const spawned = await spawnPlanned(plan, signal);
    if (spawned instanceof Error) {
      const message = `${plan.argv[0]} could not be started: ${spawned.message}`;
      return { kind: 'failure', message, detail: '' };
    }
    const { pid = 0 } = spawned.child;
    return new ProcessGroup(spawned, { pid, startTime: await startTimeOf(pid) }, options);
  }

  private constructor(
    { child, stdin, stdout, stderr, channels }: Spawned,
    identity: ProcessIdentity,
    { enforcement, protection, ...options }: GroupOptions,
  ) {
    this.identity = identity;
    this.enforcement = enforcement;
    this.protection = protection;
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.channels = channels;
    this.exited = exitOf(child).then(() => ({ exitCode: child.exitCode, signal: child.signalCode }));
    this.#ending = new Ending(
      {
        exited: this.exited,
        terminate: () => void this.#signal('SIGTERM'),
        kill: () => this.abandon(),
        isGone: () => !this.#signal(0),
        release: () => releaseStreams(this),
      },
      options,
    );
  }

  get closed(): Promise<Exit> {
    return this.#ending.closed;
  }

  close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    return this.#ending.close(onPhase);
  }

  abandon(): void {
    this.#signal('SIGKILL');
  }

  /** The temp is a folder of the host's disk, which has no limit of its own. */
  tempIsFull(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** False when there is nobody left in the group; its number is not given away while there is. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.identity.pid, signal);
    } catch (fault) {
      // On macOS a group of dead processes that are not collected yet answers with EPERM.
      if (codeOf(fault) === 'ESRCH' || (codeOf(fault) === 'EPERM' && process.platform === 'darwin')) return false;
      throw fault;
    }
  }
}

/** As the system tells it; empty when the process is gone already. */
async function startTimeOf(pid: number): Promise<string> {
  const asked = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
