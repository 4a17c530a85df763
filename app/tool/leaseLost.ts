import type { HoldEnded, LeaseRefusal } from '../lease/lease.ts';
import { refused, type Outcome } from './result.ts';

/** A call that may not write: another holds the path, or its own run is over. */
export function leaseLost(lost: LeaseRefusal | HoldEnded): Outcome {
  if (lost.kind === 'refused') return refused(lost.code, lost.message);
  return refused('lease-lost', 'The run of this call has ended: its lease is gone. Nothing ran.');
}
