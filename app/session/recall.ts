import type { SessionEvent } from './events.ts';
import { HistoryReader, type Message } from './history.ts';

/** Reads stored events back, half-open. */
export type ReadBack = (from: number, to: number) => Promise<readonly SessionEvent[]>;

const PAGE = 1000;

/** The model history of the events up to and including `through`, read back page by page. */
export async function recall(read: ReadBack, through: number): Promise<readonly Message[]> {
  const reader = new HistoryReader();
  const messages: Message[] = [];
  for (let from = 0; from <= through; from += PAGE) {
    const page = await read(from, Math.min(from + PAGE, through + 1));
    for (const event of page) messages.push(...reader.read(event));
  }
  return [...messages, ...reader.end()];
}
