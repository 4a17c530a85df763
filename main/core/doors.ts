import type { Approvals } from '../../app/approval/approvals.ts';
import type { SessionId } from '../../app/base/id.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { KeptTexts } from '../../app/session/keptTexts.ts';
import type { SessionStore } from '../../app/session/store.ts';
import type { Core } from '../coreShape.ts';
import type { Prober } from '../probe/prober.ts';
import type { Confiner } from '../sandbox/confined.ts';
import { doctor } from '../sandbox/doctor.ts';
import type { CreationParts } from './creation.ts';
import { demoRequests } from './demo.ts';
import { Lookup, NEVER } from './lookup.ts';
import { policyRequests, type PolicyRequestParts } from './policyRequests.ts';
import { probeRequests } from './probeRequests.ts';
import { sessionRequests } from './sessionRequests.ts';
import type { Sessions } from './sessions.ts';
import { settingsRequests } from './settingsRequests.ts';
import { textRequests } from './textRequests.ts';

export interface DoorsParts extends CreationParts, Omit<PolicyRequestParts, 'lookup'> {
  readonly sessions: Sessions;
  readonly store: SessionStore;
  readonly texts: KeptTexts;
  readonly approvals: Approvals;
  readonly cleanups: Cleanups;
  readonly provider: Confiner;
  /** Where programs are looked up now. */
  readonly searchPath: () => string;
  readonly prober: Prober;
  /** What a door that comes now has missed and must know. */
  readonly standing: () => readonly Push[];
  readonly end: () => Promise<void>;
}

/** What every door may ask, over the rooms that answer (contract.md, Requests). */
export class Doors implements Core {
  readonly sessions: Core['sessions'];
  readonly policy: Core['policy'];
  readonly settings: Core['settings'];
  readonly texts: Core['texts'];
  readonly demo: Core['demo'];
  readonly probe: Core['probe'];
  readonly #parts: DoorsParts;
  readonly #lookup: Lookup;
  #closing: Promise<void> | undefined;

  constructor(parts: DoorsParts) {
    this.#parts = parts;
    this.#lookup = new Lookup(parts.sessions, parts.store);
    this.sessions = sessionRequests({ ...parts, lookup: this.#lookup });
    this.policy = policyRequests({ ...parts, lookup: this.#lookup });
    this.settings = settingsRequests(parts.settings);
    this.texts = textRequests(parts.texts, this.#lookup);
    this.probe = probeRequests({ ...parts, lookup: this.#lookup });
    this.demo = demoRequests({ ...parts, sessions: this.sessions });
  }

  readonly approvals: Core['approvals'] = {
    list: async ({ sessionId }) => ({ approvals: this.#parts.approvals.list(sessionId) }),
    decide: async ({ approvalId, decision, note }, { door }) => {
      const { approvals } = this.#parts;
      const reply = approvals.decide(approvalId, decision, { door, ...(note !== undefined && { note }) });
      if (!reply) throw new RequestError('not-found', `There is no approval ${approvalId}.`);
      const owner = approvals.sessionOf(approvalId);
      if (owner) await this.#lookup.live(owner)?.session.flush();
      return reply;
    },
  };

  readonly cleanups: Core['cleanups'] = {
    list: async ({ sessionId }) => ({ cleanups: this.#parts.cleanups.list(sessionId) }),
    // The attempt is told by pushes: a person who asks for it is not kept waiting for its end.
    retry: async ({ cleanupId }) => {
      if (this.#parts.cleanups.retry(cleanupId)) return {};
      throw new RequestError('not-found', `There is no cleanup ${cleanupId}.`);
    },
  };

  readonly environments: Core['environments'] = {
    list: async ({ sessionId }) => {
      const { sessions } = this.#parts;
      const wanted = sessions.all().filter(({ session }) => sessionId === undefined || session.id === sessionId);
      return { environments: wanted.flatMap(({ environments }) => environments.list()) };
    },
    reset: async ({ sessionId }) => {
      await (await this.#lookup.writable(sessionId)).environments.reset();
      return {};
    },
  };

  readonly jobs: Core['jobs'] = {
    list: async ({ sessionId }) => {
      const { sessions } = this.#parts;
      const wanted = sessions.all().filter(({ session }) => sessionId === undefined || session.id === sessionId);
      return { jobs: wanted.flatMap(({ jobs }) => jobs.list()) };
    },
    output: async ({ jobId, from = 0 }) => {
      const job = this.#parts.sessions.all().flatMap(({ jobs }) => jobs.get(jobId) ?? [])[0];
      if (!job) throw new RequestError('not-found', `The output of job ${jobId} is not kept any longer.`);
      return await job.made.output.page(from, NEVER);
    },
    // Its end is told by pushes: a person who asks for it is not kept waiting for it.
    stop: async ({ jobId }) => {
      const live = this.#parts.sessions.all().find(({ jobs }) => jobs.get(jobId));
      if (!live) throw new RequestError('not-found', `There is no job ${jobId}.`);
      live.jobs.get(jobId)?.end({ kind: 'stopped', by: 'person' });
      await live.session.flush();
      return {};
    },
  };

  readonly tools: Core['tools'] = {
    declarations: async ({ sessionId }) => ({ text: (await this.#lookup.writable(sessionId)).declarations }),
  };

  readonly script: Core['script'] = {
    release: async ({ sessionId, barrier }) => {
      (await this.#lookup.writable(sessionId)).barriers.release(barrier);
      return {};
    },
  };

  async doctor() {
    const { provider, searchPath } = this.#parts;
    const { problem } = this.#parts.settings.current;
    const settings = problem
      ? { name: 'settings', ok: false, message: problem.message, remedy: 'Repair the file; it is read again at once.' }
      : { name: 'settings', ok: true, message: 'They can be read' };
    return {
      checks: [...(await doctor({ probe: (signal) => provider.probe(signal), path: searchPath() }, NEVER)), settings],
    };
  }

  get home(): string {
    return this.#parts.home;
  }

  attend(): () => void {
    return this.#parts.approvals.attend();
  }

  onPush(listener: (push: Push) => void): () => void {
    for (const push of this.#parts.standing()) listener(push);
    return this.#parts.pushes.listen(listener);
  }

  readEvents(sessionId: SessionId, from: number, to: number): Promise<readonly SessionEvent[]> {
    return this.#parts.store.read(sessionId, from, to, NEVER);
  }

  close(): Promise<void> {
    this.#closing ??= this.#parts.end();
    return this.#closing;
  }
}
