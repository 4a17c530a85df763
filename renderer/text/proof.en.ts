import type { Claim, Finding, Subject } from '../../app/sandbox/probe.ts';
import type { Enforcement } from '../../app/sandbox/provider.ts';

/** What the sandbox of a Session claims, and what came of trying it. */
export const proofEn = {
  prove: 'Prove it',
  proof: 'Proof',
  means:
    'Tries in the sandbox of this Session what its Mode claims. A file is made where one may be and removed at once; nothing that exists is changed.',
  trying: 'Trying…',
  again: 'Try again',
  failed: (why: string) => `Nothing was tried: ${why}`,
  allAsClaimed: (n: number) => (n === 1 ? 'The one try came out as claimed.' : `All ${n} tries came out as claimed.`),
  differing: (n: number, of: number) =>
    n === 1 ? `1 of ${of} tries did not come out as claimed.` : `${n} of ${of} tries did not come out as claimed.`,
  unclear: (n: number) => (n === 1 ? '1 try says nothing.' : `${n} tries say nothing.`),
  untried: (n: number) => (n === 1 ? '1 was left out.' : `${n} were left out.`),
  triedUnder: (mode: string) => `Tried under ${mode}`,
  enforcement: {
    full: (provider: string) => `confined by ${provider}, fully`,
    partial: (provider: string) => `confined by ${provider}, partly`,
    none: () => 'not confined',
  } satisfies Record<Enforcement, (provider: string) => string>,
  stale: (mode: string) => `${mode} is in force by now. Try again to see what holds.`,
  unconfined:
    'Nothing holds this Session back, so there is nothing to prove: outside of the workspace and the temp folder nothing was tried.',
  limits:
    'Reads are not restricted but for what is hidden. Programs outside of Gatehouse can write whatever this Session does.',
  claimed: 'Claim',
  seen: 'Seen',
  subjects: {
    workspace: 'Workspace',
    'writable-root': 'Writable folder',
    protected: 'Protected entry',
    temp: 'Temp folder',
    home: 'Home folder',
    system: 'System folder',
    hidden: 'Hidden entry',
    network: 'Network of this machine',
    'unix-socket': 'Local socket of this machine',
  } satisfies Record<Subject, string>,
  claims: {
    written: 'can be written',
    denied: 'cannot be written',
    private: 'private, can be written',
    hidden: 'is not seen',
    reached: 'can be reached',
    blocked: 'cannot be reached',
  } satisfies Record<Claim, string>,
  findings: {
    written: 'was written',
    denied: 'was not let write',
    private: 'a private one was written',
    hidden: 'was not seen',
    reached: 'was reached',
    blocked: 'was not reached',
    untried: 'not tried',
    unclear: 'no answer',
  } satisfies Record<Finding, string>,
  verdicts: { same: 'as claimed', differs: 'not as claimed', untried: 'left out', unclear: 'unclear' },
};
