import { cut } from '../tool/cut.ts';
import type { CallId } from '../base/id.ts';
import type { ProposedCall } from '../session/events.ts';
import type { Part } from './driver.ts';

type End = Part & { readonly kind: 'end' };

/** What a model said in one request. An answer that was cut off proposes nothing: its last call may be half of one. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly ProposedCall[];
  readonly end: End;
}

export interface AnswerListeners {
  readonly text: (text: string) => void;
  readonly ownId: (id: string) => CallId;
}

/** Reads an answer to its end. Halves of a character that came in two parts are whole again in `text`. */
export async function readAnswer(
  parts: AsyncIterable<Part>,
  listeners: AnswerListeners,
  signal: AbortSignal,
): Promise<Answer> {
  let text = '';
  let end: End | undefined;
  const calls: (Part & { kind: 'call' })[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    if (part.kind === 'text') {
      text += part.text;
      listeners.text(part.text.toWellFormed());
    } else if (part.kind === 'call') calls.push(part);
    else end = part;
  }
  if (!end) throw new Error('The model ended its answer without saying so');
  const whole = end.reason === 'answered' ? calls : [];
  return {
    text: text.toWellFormed(),
    calls: whole.map(({ id, tool, input }) => ({ callId: listeners.ownId(id), tool: nameOf(tool), input })),
    end,
  };
}

/** No tool has a longer name; one that is cut is unknown all the same, and stays a string in the log. */
const LONGEST_NAME = 256;

function nameOf(tool: string): string {
  return cut(tool.toWellFormed(), LONGEST_NAME);
}
