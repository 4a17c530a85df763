import type { Duplex, Readable, Writable } from 'node:stream';
import type { Limits } from '../../app/sandbox/policy.ts';
import type { Closed, EndPhase, Enforcement, Exceeded, Exit, ProcessIdentity } from '../../app/sandbox/provider.ts';
import { Ending, type EndingOptions } from '../process/ending.ts';
import { isAlive, signalGroup, signalTo } from '../process/identity.ts';
import { exitOf, type Launched } from './launcher.ts';
import type { Owned } from './live.ts';
import type { Protection } from './protection.ts';
import { releaseStreams } from './streams.ts';
import { isFull } from './tempUse.ts';
import { treeUse, type TreeUse } from './treeUse.ts';
import type { Watched } from './watch.ts';

export interface SandboxedOptions extends EndingOptions {
  readonly enforcement: Enforcement;
  readonly limits: Limits;
  readonly protection: Protection;
  /** Where the private temp is reached from the host; undefined where it ends with the process. */
  readonly tempRoot: string | undefined;
  /** The private temp was full before it started: that says nothing of this process. */
  readonly tempWasFull: boolean;
}

/**
 * A process in a sandbox of its own. The death of its init is the death of all: the kernel ends what is left in a pid
 * namespace, and the init is gone only after that.
 */
export class Sandboxed implements Owned, Watched {
  readonly kind = 'process';
  readonly left = 0;
  readonly identity: ProcessIdentity;
  readonly enforcement: Enforcement;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  readonly exited: Promise<Exit>;
  readonly limits: Limits;
  readonly protection: Protection;
  readonly #ending: Ending;
  readonly #tempRoot: string;
  readonly #tempWasFull: boolean;
  #asked = false;
  #crowded = false;
  #exceeded: Exceeded | undefined;
  #revealed: string | undefined;

  constructor(launched: Launched, options: SandboxedOptions) {
    const { enforcement, limits, protection, tempRoot } = options;
    this.identity = launched.init;
    this.enforcement = enforcement;
    this.limits = limits;
    this.protection = protection;
    this.#tempWasFull = options.tempWasFull;
    this.#tempRoot = tempRoot ?? `/proc/${launched.init.pid}/root/tmp`;
    this.stdin = launched.stdin;
    this.stdout = launched.stdout;
    this.stderr = launched.stderr;
    this.channels = launched.channels;
    this.exited = this.#exit(launched);
    this.#ending = new Ending(
      {
        exited: this.exited,
        terminate: () => {
          this.#asked = true;
          // The init leads the group of the command, and is itself deaf to TERM.
          signalGroup(this.identity, 'SIGTERM');
        },
        kill: () => this.abandon(),
        isGone: () => !isAlive(this.identity),
        release: () => releaseStreams(this),
      },
      options,
    );
  }

  get closed(): Promise<Exit> {
    return this.#ending.closed;
  }

  get exceeded(): Exceeded | undefined {
    return this.#exceeded;
  }

  get revealed(): string | undefined {
    return this.#revealed;
  }

  tempIsFull(): Promise<boolean> {
    return isFull(this.#tempRoot);
  }

  look(): Promise<TreeUse | undefined> {
    return treeUse(this.identity.pid, this.limits);
  }

  crowded(is: boolean): void {
    this.#crowded = is;
  }

  exceed(limit: Exclude<Exceeded, 'temp'>): void {
    this.#exceeded ??= limit;
    this.abandon();
  }

  reveal(path: string): void {
    this.#revealed ??= path;
    this.abandon();
  }

  close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    return this.#ending.close(onPhase);
  }

  abandon(): void {
    signalTo(this.identity, 'SIGKILL');
  }

  async #exit({ child, status }: Launched): Promise<Exit> {
    await exitOf(child);
    const code = await status.exitCode;
    if (this.#exceeded || this.#revealed !== undefined) return { exitCode: null, signal: 'SIGKILL' };
    this.#exceeded ??= await this.#metLimit(code);
    if (this.#ending.killed) return { exitCode: null, signal: 'SIGKILL' };
    if (this.#asked && code === 143) return { exitCode: null, signal: 'SIGTERM' };
    return { exitCode: code ?? null, signal: code === undefined ? child.signalCode : null };
  }

  /** The limit at which it failed by itself: it could start nothing any more, or it filled the temp. */
  async #metLimit(code: number | undefined): Promise<Exceeded | undefined> {
    if (this.#crowded && code !== 0 && !this.#asked && !this.#ending.killed) return 'process';
    if (code === 0 || this.#tempWasFull) return undefined;
    return (await this.tempIsFull()) ? 'temp' : undefined;
  }
}
