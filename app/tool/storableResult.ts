import { messageOf } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { TEXT_LIMIT, tailOf, utf8Bytes, type Text } from '../base/text.ts';
import type { Result } from './result.ts';

/** What a result needs of its Session to be logged. */
export interface ResultStore {
  storable(value: unknown): Promise<Json>;
}

/**
 * A result as the log takes it. `content` stays a text, since it is what the model receives: the end of it, where it is too
 * long. A result that cannot be logged whole is logged without what it has besides: no call stays without one.
 */
export async function storableResult<R extends Result>(result: R, session: ResultStore): Promise<R> {
  try {
    const wellFormed = { ...result, content: result.content.toWellFormed() };
    return withText((await session.storable(wellFormed)) as unknown as R); // `storable` keeps the shape.
  } catch (fault) {
    const why = `\nThe rest of this result could not be logged: ${messageOf(fault)}`;
    const said = result.content.toWellFormed();
    const content = endOf(said, utf8Bytes(said), TEXT_LIMIT / 2) + tailOf(why, 1024);
    return withText((await session.storable(bare({ ...result, content }))) as unknown as R);
  }
}

function withText<R extends Result>(stored: R): R {
  const content = stored.content as string | Text;
  if (typeof content === 'string') return stored;
  return { ...stored, content: endOf(content.text, content.bytes, TEXT_LIMIT) };
}

function endOf(text: string, bytes: number, limit: number): string {
  if (bytes <= limit) return text;
  const note = `[the end of ${bytes} bytes]\n`;
  return note + tailOf(text, limit - note.length);
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'value',
  'facts',
  'logs',
  'display',
  'denied',
] satisfies (keyof Result)[]);

function bare(result: Result): object {
  return Object.fromEntries(Object.entries(result).filter(([member]) => !LEFT_OUT.has(member)));
}
