export interface Standing {
  readonly failed: number;
  readonly active: number;
  /** The last of them ended a moment ago. */
  readonly clean: boolean;
}

/** What the cleanup chip says, if anything. A failure outranks all: it stays until it is dealt with. */
export function chipOf({ failed, active, clean }: Standing): 'failed' | 'active' | 'clean' | undefined {
  if (failed > 0) return 'failed';
  if (active > 0) return 'active';
  return clean ? 'clean' : undefined;
}
