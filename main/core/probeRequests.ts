import { RequestError } from '../../app/contract/reply.ts';
import { unavailableText } from '../../app/sandbox/unavailable.ts';
import type { Core } from '../coreShape.ts';
import type { Prober } from '../probe/prober.ts';
import { NEVER, type Lookup } from './lookup.ts';

export interface ProbeRequestParts {
  readonly lookup: Lookup;
  readonly prober: Prober;
}

/** The requests `probe.*` (contract.md). */
export function probeRequests({ lookup, prober }: ProbeRequestParts): Core['probe'] {
  return {
    run: async ({ sessionId }) => {
      const live = await lookup.writable(sessionId);
      const policy = await live.standingPolicy();
      const found = 'kind' in policy ? policy : await prober.run(sessionId, policy, NEVER);
      if (found.kind === 'unavailable') throw new RequestError(found.code, unavailableText(found));
      const { mode, provider, enforcement, probes } = found;
      return { mode, provider, enforcement, probes };
    },
  };
}
