const MIB = 1024 * 1024;

/** What a client may ask of the server. A window comes nowhere near any of it. */
export interface Limits {
  /** Connections at once, those that have not presented a token yet included. */
  readonly sockets: number;
  readonly presentMs: number;
  /** Before its token is accepted a client may send no more than this. */
  readonly presentBytes: number;
  readonly frameBytes: number;
  /** Frames that may come at once, and how many more each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Requests of one connection that run at once. */
  readonly unanswered: number;
  /** Bytes that may wait for a slow window before nothing more is made for it. */
  readonly full: number;
  /** Answers that may wait for it before nothing more is read of it. */
  readonly unread: number;
  /** How often a window is asked whether it is there, and how many times in a row it may leave that unanswered. */
  readonly pingMs: number;
  readonly missedPings: number;
  /** How long a window may take to part. */
  readonly graceMs: number;
}

export const LIMITS: Limits = {
  sockets: 64,
  presentMs: 5_000,
  presentBytes: 8 * 1024,
  frameBytes: 16 * MIB,
  burst: 1_000,
  perSecond: 200,
  unanswered: 1_000,
  full: MIB,
  unread: 32,
  pingMs: 15_000,
  missedPings: 4,
  graceMs: 2_000,
};

/** A bucket of frames that fills with time. Below empty, a client is refused; as far below as it was deep, it is dropped. */
export class Pace {
  readonly #limits: Pick<Limits, 'burst' | 'perSecond'>;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(limits: Pick<Limits, 'burst' | 'perSecond'>, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#left = limits.burst;
    this.#at = now();
  }

  /** Takes one frame. */
  take(): 'within' | 'over' | 'flood' {
    const { burst, perSecond } = this.#limits;
    const now = this.#now();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond) - 1;
    this.#at = now;
    if (this.#left >= 0) return 'within';
    return this.#left >= -burst ? 'over' : 'flood';
  }
}
