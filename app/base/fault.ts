/** What a fault says of itself, for a sentence; anything may be thrown. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
