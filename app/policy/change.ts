import type { Mode } from '../sandbox/mode.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyPair } from './fold.ts';
import type { PolicySubject } from './subject.ts';

/** A committed event after which launches are confined otherwise than before (ptc.md, A mode change). */
export type Change =
  | { readonly kind: 'mode-changed'; readonly seq: number; readonly mode: Mode }
  | { readonly kind: 'settings-changed'; readonly seq: number };

/**
 * Tells of every change at its commit, synchronously. An event that repeats the value in force is none, and so is a first
 * explicit event that equals the default.
 */
export function observeChanges(
  subject: PolicySubject,
  listener: (change: Change) => void,
  fallback: PolicyPair = DEPLOYMENT_DEFAULT,
): () => void {
  let mode = effective(subject.policyState(), fallback).mode;
  let settings = subject.policyState().settings?.value;
  return subject.journal.observe((event) => {
    if (event.type === 'sandbox/mode' && event.data.mode !== mode) {
      mode = event.data.mode;
      listener({ kind: 'mode-changed', seq: event.seq, mode });
    } else if (event.type === 'sandbox/settings' && event.data.digest !== settings) {
      settings = event.data.digest;
      listener({ kind: 'settings-changed', seq: event.seq });
    }
  });
}
