import type { Closed, EndPhase } from '../../app/sandbox/provider.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from '../sandbox/confined.ts';

/** Stands around the real sandbox: launches and ends are real, and a test says when they may go on. */
export class Barrier {
  /** Every process that was launched, in order. */
  readonly launched: ConfinedProcess[] = [];
  #launches: Promise<void> = Promise.resolve();
  #closes: Promise<void> = Promise.resolve();
  #failures = 0;

  around(real: Confiner): Pick<Confiner, 'launch'> {
    return {
      launch: async (request: ConfinedLaunch, signal: AbortSignal) => {
        const process = await real.launch(request, signal);
        if (process.kind === 'unavailable') return process;
        this.launched.push(process);
        await this.#launches;
        return this.#held(process);
      },
    };
  }

  /** Launches come back only when the returned function was called; the processes are there before. */
  holdLaunches(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#launches = promise;
    return resolve;
  }

  /** Ending waits until the returned function was called; the processes live on meanwhile. */
  holdCloses(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closes = promise;
    return resolve;
  }

  /** The next attempts to end a process fail before they touch it. */
  failCloses(times: number): void {
    this.#failures = times;
  }

  #held(process: ConfinedProcess): ConfinedProcess {
    const close = (onPhase?: (phase: EndPhase) => void) => this.#close(process, onPhase);
    return new Proxy(process, {
      get: (target, name) => {
        if (name === 'close') return close;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }

  async #close(process: ConfinedProcess, onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    await this.#closes;
    if (this.#failures > 0) {
      this.#failures -= 1;
      return { ok: false, phase: 'killing', error: 'it would not die' };
    }
    return process.close(onPhase);
  }
}
