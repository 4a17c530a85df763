import type { LeaseOwner } from './lease.ts';

/** The Lease Owner of a machine where nothing contends: every request is granted at once and nothing is published. */
export const grantingOwner: LeaseOwner = {
  beginRun: () => ({
    preparePaths: async () => ({
      kind: 'call',
      retain: async () => ({ kind: 'hold', end: () => undefined }),
      close: async () => ({}),
    }),
    yield: async () => ({ resume: async () => undefined }),
    end: async () => undefined,
  }),
};
