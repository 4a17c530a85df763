import type { Unavailable } from './provider.ts';

/** Why nothing ran and what a person can do about it, in one line of whole sentences. */
export function unavailableText({ message, remedy }: Pick<Unavailable, 'message' | 'remedy'>): string {
  const reason = message.endsWith('.') ? message : `${message}.`;
  return remedy === undefined ? reason : `${reason} ${remedy}`;
}
