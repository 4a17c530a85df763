/** A process as a quick look sees it: `most` is its memory with all that it shares. */
export interface Holder {
  readonly folder: string;
  readonly most: number;
}

/**
 * What processes have together when a shared page counts in parts. The exact answer for one of them keeps the kernel
 * busy as long as the process wants, so they are asked one by one, the largest first, and no more than it takes to know
 * on which side of the limit they are; for those that were not asked, all that they share counts.
 */
export async function sharedMemory(
  holders: readonly Holder[],
  limit: number,
  shareOf: (holder: Holder) => Promise<number>,
): Promise<number> {
  let known = 0;
  let unasked = holders.reduce((total, { most }) => total + most, 0);
  for (const holder of holders.toSorted((one, other) => other.most - one.most)) {
    if (known > limit || known + unasked <= limit) break;
    unasked -= holder.most;
    known += await shareOf(holder);
  }
  return known + unasked;
}
