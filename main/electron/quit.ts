import type { LiveWork } from './liveWork.ts';

export type QuitAnswer = 'keep' | 'stop' | 'cancel';

export interface QuitOptions {
  readonly liveWork: () => Promise<LiveWork>;
  /** Asks the person; aborted when the answer is no longer wanted. */
  readonly ask: (work: LiveWork, signal: AbortSignal) => Promise<QuitAnswer>;
  /** The windows go, everything else stays. */
  readonly keepRunning: () => void;
  /** Ends everything; resolves when nothing is left. */
  readonly stop: () => Promise<void>;
  /** Ends this process. */
  readonly exit: (code: number) => void;
  readonly onFault: (fault: unknown) => void;
  /** How long an end may take that does not get on. */
  readonly stopMs?: number;
}

const STOP_MS = 9_000;

/** How the program ends (ui.md, Around it): with live work it asks, the second time it obeys, and it ends once. */
export class Quit {
  readonly #options: QuitOptions;
  #asking: AbortController | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: QuitOptions) {
    this.#options = options;
  }

  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** A person quits. While they are being asked, to quit again is the answer. */
  request(): void {
    if (this.#asking) void this.stop();
    else if (!this.#stopping) void this.#ask().catch(this.#options.onFault);
  }

  /** Without a question. Twice is once. */
  stop(): Promise<void> {
    this.#asking?.abort();
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #ask(): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await this.#answer(asking.signal);
      if (this.#stopping) return;
      if (answer === 'stop') void this.stop();
      if (answer === 'keep') this.#options.keepRunning();
    } finally {
      this.#asking = undefined;
    }
  }

  async #answer(signal: AbortSignal): Promise<QuitAnswer> {
    const { liveWork, ask, onFault } = this.#options;
    const work = await liveWork().catch(onFault);
    if (work?.length === 0 || signal.aborted) return 'stop';
    // What cannot be listed may be at work all the same: the person is asked, and there is a way out.
    return ask(work ?? [], signal);
  }

  async #stop(): Promise<void> {
    const { stop, exit, onFault, stopMs = STOP_MS } = this.#options;
    const late = setTimeout(() => {
      onFault(new Error('The end took too long; what is left is ended from outside'));
      exit(1);
    }, stopMs);
    try {
      await stop();
      exit(0);
    } catch (fault) {
      onFault(fault);
      exit(1);
    } finally {
      clearTimeout(late);
    }
  }
}
