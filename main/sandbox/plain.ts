import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Closed, EndPhase, Exit, ProcessIdentity } from '../../app/sandbox/provider.ts';
import { Ending, type EndingOptions } from '../process/ending.ts';
import { identityOf, isAlive, sacrificeFirst, signalTo } from '../process/identity.ts';
import { findTree } from '../process/tree.ts';
import { spawnPlanned, type Plan, type Spawned } from './descriptors.ts';
import { exitOf, type LaunchFailure } from './launcher.ts';
import type { Owned } from './live.ts';
import { NO_PROTECTION } from './protection.ts';
import { releaseStreams } from './streams.ts';

export interface PlainOrder extends Plan {
  /** In the environment of everything it starts: by this its tree is found, whatever group or session it is in. */
  readonly mark: string;
}

/** A process under `danger-full-access`: no namespace holds its tree together, so the process table is searched for it. */
export class Plain implements Owned {
  readonly kind = 'process';
  readonly enforcement = 'none';
  readonly exceeded = undefined;
  readonly protection = NO_PROTECTION;
  readonly identity: ProcessIdentity;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  readonly exited: Promise<Exit>;
  readonly #ending: Ending;
  readonly #mark: string;
  /** Everything of the tree that was ever seen: a parent may be gone when its child is looked for. */
  readonly #known = new Map<number, ProcessIdentity>();
  #left = 0;

  /** What it starts runs from the first moment on: given up before, it is not started. */
  static async start(order: PlainOrder, options: EndingOptions, signal: AbortSignal): Promise<Plain | LaunchFailure> {
    const spawned = await spawnPlanned(order, signal);
    if (spawned instanceof Error)
      return { kind: 'failure', message: `${order.argv[0]} could not be started: ${spawned.message}`, detail: '' };
    return new Plain(spawned, order.mark, options);
  }

  private constructor({ child, stdin, stdout, stderr, channels }: Spawned, mark: string, options: EndingOptions) {
    // A child that we have not yet collected is in the table, dead or alive.
    const identity = identityOf(child.pid ?? 0);
    if (!identity) throw new Error(`The process ${child.pid} is not in the process table`);
    this.identity = identity;
    sacrificeFirst(identity.pid);
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.channels = channels;
    this.#mark = mark;
    this.#known.set(identity.pid, identity);
    this.exited = this.#exit(child);
    this.#ending = new Ending(
      {
        exited: this.exited,
        terminate: () => this.#signal('SIGTERM'),
        kill: () => this.abandon(),
        isGone: () => this.#alive().length === 0,
        release: () => releaseStreams(this),
      },
      options,
    );
  }

  get closed(): Promise<Exit> {
    return this.#ending.closed;
  }

  get left(): number {
    return this.#left;
  }

  close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    return this.#ending.close(onPhase);
  }

  /** It has the temp of the host, which is no limit of ours. */
  tempIsFull(): Promise<boolean> {
    return Promise.resolve(false);
  }

  abandon(): void {
    this.#signal('SIGKILL');
  }

  async #exit(child: ChildProcess): Promise<Exit> {
    await exitOf(child);
    this.#left = this.#alive().length;
    return { exitCode: child.exitCode, signal: child.signalCode };
  }

  #signal(signal: NodeJS.Signals): void {
    for (const member of this.#alive()) signalTo(member, signal);
  }

  #alive(): ProcessIdentity[] {
    for (const member of findTree(this.#mark, this.#known.values())) this.#known.set(member.pid, member);
    for (const [pid, member] of this.#known) if (!isAlive(member)) this.#known.delete(pid);
    return [...this.#known.values()];
  }
}
