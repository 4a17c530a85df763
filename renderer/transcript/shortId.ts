/** Enough of one of our ids to tell it from its neighbours; the whole stands in the raw event. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
