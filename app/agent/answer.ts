import type { CallId } from '../base/id.ts';
import { lossless, LosslessError, type Json } from '../base/json.ts';
import type { ProposedCall } from '../session/events.ts';
import { cut } from '../tool/cut.ts';
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
    calls: whole.map(({ id, tool, input }) => ({
      callId: listeners.ownId(id),
      tool: nameOf(tool),
      input: usable(input),
    })),
    end,
  };
}

/** No tool has a longer name; one that is cut is unknown all the same, and stays a string in the log. */
const LONGEST_NAME = 256;

function nameOf(tool: string): string {
  return cut(tool.toWellFormed(), LONGEST_NAME);
}

/**
 * The arguments as the log can hold them: halves of characters become U+FFFD as in `text`, minus zero is zero. What
 * cannot be held even so, such as a nesting without end, is null: no tool takes that, and the model is told so.
 */
function usable(input: Json): Json {
  try {
    return lossless(mended(input));
  } catch (fault) {
    if (fault instanceof LosslessError || fault instanceof RangeError) return null;
    throw fault;
  }
}

function mended(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(mended);
  // `fromEntries` makes `__proto__` a member like any other.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mended(item as Json)]));
}
