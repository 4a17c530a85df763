import type { EnvironmentId } from '../base/id.ts';
import type { EnvironmentEvent } from '../ptc/events.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Receipt } from '../tool/result.ts';

type Started = Extract<EnvironmentEvent, { readonly type: 'environment/started' }>['data'];
type Ended = Extract<EnvironmentEvent, { readonly type: 'environment/ended' }>['data'];

/** The Environments of a log, and whether a receipt speaks of the one that its call ran in. */
export class EnvironmentLedger {
  readonly #entries = new Map<EnvironmentId, { readonly started: Started; ended?: Ended }>();

  start(started: Started): void {
    this.#entries.set(started.environmentId, { started });
  }

  /** What has ended is only asked for by the receipt of a call that had it for itself. */
  end(ended: Ended): void {
    const entry = this.#entries.get(ended.environmentId);
    if (entry?.started.retained) this.#entries.delete(ended.environmentId);
    else if (entry) entry.ended = ended;
  }

  modeOf(id: EnvironmentId): Mode | undefined {
    return this.#entries.get(id)?.started.mode;
  }

  isRetained(id: EnvironmentId): boolean {
    return this.#entries.get(id)?.started.retained ?? false;
  }

  /** `ran`: the Environment that the call was started in, where it was one. */
  redeem(
    { environmentId, pid, startTime, exitCode, signal, releasedBeforeReturn }: Receipt,
    ran?: EnvironmentId,
  ): string[] {
    if (environmentId !== ran)
      return [`names environment ${environmentId ?? 'none'}; the call ran in ${ran ?? 'none'}`];
    const entry = ran === undefined ? undefined : this.#entries.get(ran);
    if (!entry) return [];
    const { started, ended } = entry;
    const problems: string[] = [];
    if (pid !== started.pid || startTime !== started.startTime)
      problems.push(`names another process than ${started.pid}`);
    if (!releasedBeforeReturn) return problems;
    if (!ended) problems.push(`says that environment ${ran} was released; it had not ended`);
    else if (exitCode !== ended.exitCode || signal !== ended.signal) problems.push('says another end than the log');
    return problems;
  }
}
