import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** One-time tokens that may wait to be presented; beyond that the oldest is worth nothing any more. */
const WAITING = 16;

/** Who may connect a window. What is kept tells nothing about the tokens, and comparing takes the same time for all. */
export class Tokens {
  #waiting: readonly Buffer[] = [];
  #sessions: readonly Buffer[] = [];

  /** Good for one window, once: 256 random bits. */
  issue(): string {
    const token = randomToken();
    this.#waiting = [...this.#waiting, digest(token)].slice(-WAITING);
    return token;
  }

  /**
   * The session token for what a window presents: a new one for a one-time token, which is spent by it, or the same one
   * again. Undefined when what is presented is worth nothing.
   */
  trade(presented: string): string | undefined {
    const mark = digest(presented);
    const spent = find(this.#waiting, mark);
    const known = find(this.#sessions, mark);
    if (known) return presented;
    if (!spent) return undefined;
    this.#waiting = this.#waiting.filter((one) => one !== spent);
    const session = randomToken();
    this.#sessions = [...this.#sessions, digest(session)];
    return session;
  }
}

function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares with every one, whichever it is. */
function find(among: readonly Buffer[], mark: Buffer): Buffer | undefined {
  return among.filter((one) => timingSafeEqual(one, mark)).at(0);
}
