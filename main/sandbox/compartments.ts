import type { SessionId } from '../../app/base/id.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { Compartment, compartmentKey, type CompartmentOptions } from './compartment.ts';
import type { LaunchFailure } from './launcher.ts';

type Found = Compartment | LaunchFailure | Unavailable;

interface Entry {
  readonly key: string;
  readonly started: Promise<Compartment | LaunchFailure>;
}

/** What all Compartments of this process have in common. */
type Common = Pick<CompartmentOptions, 'folder' | 'runtime' | 'pipes'>;
type Own = Omit<CompartmentOptions, keyof Common>;

/** One Compartment per Session, made by the first launch that needs it. */
export class Compartments {
  readonly #entries = new Map<SessionId, Entry>();
  readonly #common: Common;

  constructor(common: Common) {
    this.#common = common;
  }

  /** A dead one fails the launch that finds it, because what was in the temp is lost; the launch after gets a new one. */
  async of(id: SessionId, options: Own): Promise<Found> {
    const key = compartmentKey(options.policy, this.#common.runtime);
    const entry = this.#entries.get(id);
    if (entry?.key !== key) {
      const started = this.#replace(entry, options);
      this.#entries.set(id, { key, started });
      return this.#settle(id, started);
    }
    const found = await this.#settle(id, entry.started);
    if (found.kind === 'failure' || found.isAlive) return found;
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
    await found.close();
    return {
      kind: 'unavailable',
      code: 'SANDBOX_UNAVAILABLE',
      message: 'The private temp of this Session was lost: what held it has ended',
      remedy: 'Try again: the next command gets a new one.',
    };
  }

  async release(id: SessionId): Promise<void> {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    await end(entry);
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(end));
  }

  async #replace(old: Entry | undefined, options: Own) {
    await end(old);
    return Compartment.start({ ...this.#common, ...options });
  }

  /** One that could not be made is not kept: the next launch tries again. */
  async #settle(id: SessionId, started: Entry['started']): Promise<Compartment | LaunchFailure> {
    const found = await started;
    if (found.kind === 'failure' && this.#entries.get(id)?.started === started) this.#entries.delete(id);
    return found;
  }
}

async function end(entry: Entry | undefined): Promise<void> {
  const found = await entry?.started;
  if (found?.kind === 'compartment') await found.close();
}
