import type { Duplex, Readable, Writable } from 'node:stream';
import type { Closed, EndPhase, Enforcement, Exit, ProcessIdentity } from '../../app/sandbox/provider.ts';
import { Ending, type EndingOptions } from '../process/ending.ts';
import { isAlive, signalGroup, signalTo } from '../process/identity.ts';
import { exitOf, type Launched } from './launcher.ts';
import type { Owned } from './live.ts';
import { releaseStreams } from './streams.ts';

/**
 * A process in a sandbox of its own. The death of its init is the death of all: the kernel ends what is left in a pid
 * namespace, and the init is gone only after that.
 */
export class Sandboxed implements Owned {
  readonly kind = 'process';
  readonly left = 0;
  readonly identity: ProcessIdentity;
  readonly enforcement: Enforcement;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  readonly exited: Promise<Exit>;
  readonly #ending: Ending;
  #asked = false;

  constructor(launched: Launched, enforcement: Enforcement, options: EndingOptions) {
    this.identity = launched.init;
    this.enforcement = enforcement;
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

  close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    return this.#ending.close(onPhase);
  }

  abandon(): void {
    signalTo(this.identity, 'SIGKILL');
  }

  async #exit({ child, status }: Launched): Promise<Exit> {
    await exitOf(child);
    const code = await status.exitCode;
    if (this.#ending.killed) return { exitCode: null, signal: 'SIGKILL' };
    if (this.#asked && code === 143) return { exitCode: null, signal: 'SIGTERM' };
    return { exitCode: code ?? null, signal: code === undefined ? child.signalCode : null };
  }
}
