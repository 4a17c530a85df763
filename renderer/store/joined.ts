import type { SessionEvent } from '../../app/session/events.ts';

type Chunk = Extract<SessionEvent, { type: 'assistant/chunk' }>;

/**
 * Two runs of events, one after the other. The parts in which an answer is streamed become one event with the text so
 * far, and go when the whole answer is there: a long answer does not push everything else out of the window.
 */
export function joined(before: readonly SessionEvent[], after: readonly SessionEvent[]): readonly SessionEvent[] {
  const events = [...before];
  for (const event of after) {
    const last = events.at(-1);
    if (event.type === 'assistant/message') dropParts(events, event.data);
    if (event.type === 'assistant/chunk' && last?.type === 'assistant/chunk' && isSame(last.data, event.data)) {
      // The number of the last part: what comes next is counted from there.
      events[events.length - 1] = { ...event, data: { ...event.data, text: last.data.text + event.data.text } };
    } else events.push(event);
  }
  return events;
}

interface Step {
  readonly turn: number;
  readonly step: number;
}

/** Parts stand behind the start of their step; something else may have been recorded between them. */
function dropParts(events: SessionEvent[], of: Step): void {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.type === 'step/start' || event?.type === 'turn/start') return;
    if (event?.type === 'assistant/chunk' && isSame(event.data, of)) events.splice(at, 1);
  }
}

function isSame(chunk: Chunk['data'], { turn, step }: Step): boolean {
  return chunk.turn === turn && chunk.step === step;
}
