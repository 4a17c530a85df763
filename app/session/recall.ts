import type { SessionEvent } from './events.ts';
import { history, type Message } from './history.ts';

/** Reads stored events back, half-open. */
export type ReadBack = (from: number, to: number) => Promise<readonly SessionEvent[]>;

const PAGE = 1000;

/** The model history of the events up to and including `through`, read back page by page. */
export async function recall(read: ReadBack, through: number): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (let from = 0; from <= through; from += PAGE) {
    messages.push(...history(await read(from, Math.min(from + PAGE, through + 1))));
  }
  return messages;
}
