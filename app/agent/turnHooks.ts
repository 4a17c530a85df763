/** Port: the hooks at the points of a turn (agent.md, Hooks). */
export interface TurnHooks {
  /** A turn begins; they count from 1. */
  begin(turn: number, signal: AbortSignal): Promise<void>;
  /** Why this message may not reach the model; undefined when it may. */
  prompt(message: AcceptedMessage, signal: AbortSignal): Promise<string | undefined>;
  /** Why the turn is to go on although the model is done. `again`: this turn went on for such a reason already. */
  stop(again: boolean, signal: AbortSignal): Promise<string | undefined>;
}

export interface AcceptedMessage {
  readonly seq: number;
  /** Absent for one that an earlier process accepted: it is in the log. */
  readonly text?: string;
}

/** How often a turn goes on for hooks, whatever the model does meanwhile: they must not keep it up for ever. */
const MOST_AGAIN = 3;

/** What hooks say of one turn: which messages it may take, and whether it may end. */
export class TurnGate {
  readonly #hooks: TurnHooks | undefined;
  readonly #texts = new Map<number, string>();
  readonly #judged = new Set<number>();
  #again = 0;

  constructor(hooks: TurnHooks | undefined) {
    this.#hooks = hooks;
  }

  accepted(seq: number, text: string): void {
    if (this.#hooks) this.#texts.set(seq, text);
  }

  async begin(turn: number, signal: AbortSignal): Promise<void> {
    this.#again = 0;
    await this.#hooks?.begin(turn, signal);
    signal.throwIfAborted();
  }

  /** The next of these messages that no hook has been asked about; none where there are no hooks. */
  unjudged(queued: readonly number[]): number | undefined {
    return this.#hooks && queued.find((seq) => !this.#judged.has(seq));
  }

  async judge(seq: number, signal: AbortSignal): Promise<string | undefined> {
    const text = this.#texts.get(seq);
    const refusal = await this.#hooks?.prompt({ seq, ...(text !== undefined && { text }) }, signal);
    signal.throwIfAborted();
    this.#texts.delete(seq);
    this.#judged.add(seq);
    return refusal;
  }

  /** Whether the turn goes on: the log has the reason, and the next step is told it. */
  async goesOn(signal: AbortSignal): Promise<boolean> {
    if (!this.#hooks || this.#again >= MOST_AGAIN) return false;
    const reason = await this.#hooks.stop(this.#again > 0, signal);
    signal.throwIfAborted();
    if (reason === undefined) return false;
    this.#again += 1;
    return true;
  }
}
