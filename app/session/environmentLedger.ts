import type { EnvironmentId } from '../base/id.ts';
import type { EnvironmentEvent } from '../ptc/events.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Receipt, Status } from '../tool/result.ts';

type Started = Extract<EnvironmentEvent, { readonly type: 'environment/started' }>['data'];
type Ended = Extract<EnvironmentEvent, { readonly type: 'environment/ended' }>['data'];

/** The Environments of a log, and whether a receipt speaks of the one that its call ran in. */
export class EnvironmentLedger {
  readonly #entries = new Map<EnvironmentId, Entry>();
  /** How often a standing Environment came, or went without a reason of its own. */
  #moves = 0;

  start(started: Started, seq: number): void {
    this.#entries.set(started.environmentId, { started, seq });
    if (started.retained) this.#moves += 1;
  }

  /** What has ended is only asked for by the receipt of a call that had it for itself. */
  end(ended: Ended): void {
    const entry = this.#entries.get(ended.environmentId);
    if (entry?.started.retained && UNEXPLAINED.has(ended.reason)) this.#moves += 1;
    if (entry?.started.retained) this.#entries.delete(ended.environmentId);
    else if (entry) entry.ended = ended;
  }

  modeOf(id: EnvironmentId): Mode | undefined {
    return this.#entries.get(id)?.started.mode;
  }

  isRetained(id: EnvironmentId): boolean {
    return this.#entries.get(id)?.started.retained ?? false;
  }

  /** How it stands beside a call that starts now, for `redeem`. */
  standing(): Standing {
    const ids = [...this.#entries].flatMap(([id, { started }]) => (started.retained ? [id] : []));
    return { moves: this.#moves, ids };
  }

  /** What is wrong with a receipt of a call that was asked about at `asked` and started beside `standing`. */
  redeem(receipt: Receipt, call: Redeeming): string[] {
    return [...this.#standing(receipt, call), ...this.#ran(receipt, call)];
  }

  #standing({ standing }: Receipt, { beside, status }: Redeeming): string[] {
    // What was cancelled may have been so together with the program that stands beside it.
    if (standing !== 'unchanged' || !beside || status === 'cancelled') return [];
    if (beside.ids.length === 0) return ['says that a standing environment is unchanged; there was none'];
    return this.#moves === beside.moves ? [] : ['says that the standing environment is unchanged; the log does not'];
  }

  #ran(receipt: Receipt, { ran, asked, status }: Redeeming): string[] {
    const { environmentId, pid, startTime, exitCode, signal, releasedBeforeReturn } = receipt;
    if (environmentId !== ran)
      return [`names environment ${environmentId ?? 'none'}; the call ran in ${ran ?? 'none'}`];
    const entry = ran === undefined ? undefined : this.#entries.get(ran);
    if (!entry) return [];
    const { started, ended, seq } = entry;
    const problems: string[] = [];
    if (seq < asked) problems.push(`names environment ${ran}, which is older than its question`);
    if (pid !== started.pid || startTime !== started.startTime)
      problems.push(`names another process than ${started.pid}`);
    if (!releasedBeforeReturn) return problems;
    if (!ended) problems.push(`says that environment ${ran} was released; it had not ended`);
    else if (exitCode !== ended.exitCode || signal !== ended.signal) problems.push('says another end than the log');
    else if (status === 'ok' && ended.reason !== 'released')
      problems.push(`is of a call that is ok; environment ${ran} ended by ${ended.reason}`);
    return problems;
  }
}

interface Entry {
  readonly started: Started;
  readonly seq: number;
  ended?: Ended;
}

interface Standing {
  readonly moves: number;
  readonly ids: readonly EnvironmentId[];
}

interface Redeeming {
  /** The Environment that the call was started in, where it was one. */
  readonly ran: EnvironmentId | undefined;
  /** Where its question stands in the log. */
  readonly asked: number;
  readonly beside: Standing | undefined;
  readonly status: Status;
}

/** Ends that no person, no change, no clock and no limit explains: something else has reached the process. */
const UNEXPLAINED: ReadonlySet<Ended['reason']> = new Set(['crash', 'exit', 'released']);
