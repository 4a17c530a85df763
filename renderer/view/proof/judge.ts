import type { Probe } from '../../../app/sandbox/probe.ts';

export type Judged = 'same' | 'differs' | 'untried' | 'unclear';

/** Claim and observation share their words, so whether they agree is a comparison. */
export function judge({ expected, observed }: Pick<Probe, 'expected' | 'observed'>): Judged {
  if (observed === 'untried' || observed === 'unclear') return observed;
  return expected === observed ? 'same' : 'differs';
}

export function countOf(probes: readonly Pick<Probe, 'expected' | 'observed'>[]): Readonly<Record<Judged, number>> {
  const count = { same: 0, differs: 0, untried: 0, unclear: 0 };
  for (const probe of probes) count[judge(probe)] += 1;
  return count;
}
