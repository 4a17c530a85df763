import { describe, expect, it } from 'vitest';
import type { CallId } from '../base/id.ts';
import { lossless, type Json } from '../base/json.ts';
import { TEXT_LIMIT, tailOf, utf8Bytes } from '../base/text.ts';
import type { Result } from './result.ts';
import { storableResult } from './storableResult.ts';

const RESULT: Result = { callId: 'c1' as CallId, tool: 'bash', status: 'ok', content: 'done' };

describe('storableResult', () => {
  it('keeps a result that fits as it is', async () => {
    expect(await storableResult({ ...RESULT, value: { a: [1] } }, store())).toEqual({ ...RESULT, value: { a: [1] } });
  });

  it('1-e: keeps the end of a long content as a text, cut between two characters', async () => {
    const { content } = await storableResult({ ...RESULT, content: `${'😀'.repeat(40_000)}end` }, store());
    expect(content).toMatch(/^\[the end of 160003 bytes\]\n😀+end$/u);
    expect(utf8Bytes(content)).toBeLessThanOrEqual(TEXT_LIMIT);
  });

  it('makes a content with half a character well-formed instead of losing the result', async () => {
    expect(await storableResult({ ...RESULT, content: 'a\ud83d' }, store())).toEqual({ ...RESULT, content: 'a\ufffd' });
  });

  it('leaves out a value that does not fit into an event, and says so', async () => {
    const value = Array.from({ length: 200_000 }, (_, index) => index);
    const kept = await storableResult({ ...RESULT, value, cleanupError: 'still alive' }, store());
    expect(kept).toMatchObject({ callId: 'c1', tool: 'bash', status: 'ok', cleanupError: 'still alive' });
    expect(kept.content).toMatch(/^done\nThe rest of this result could not be logged: More than/);
    expect(kept).not.toHaveProperty('value');
  });

  it('logs a result although the disk takes no blob', async () => {
    const failing = store(() => Promise.reject(new Error('The disk is full')));
    const kept = await storableResult({ ...RESULT, content: 'x'.repeat(70_000), value: 'y'.repeat(70_000) }, failing);
    expect(kept.content).toMatch(/^\[the end of 70000 bytes\]\nx+\nThe rest .* The disk is full$/);
    expect(utf8Bytes(kept.content)).toBeLessThanOrEqual(TEXT_LIMIT);
  });
});

/** As a Session makes a value storable, with its limits: long strings are kept beside the log, the rest must fit. */
function store(keep: (text: string) => Promise<string> = async () => 'sha') {
  const shorten = async (value: Json): Promise<Json> => {
    if (typeof value === 'string' && utf8Bytes(value) > TEXT_LIMIT)
      return { text: tailOf(value), bytes: utf8Bytes(value), dropped: 0, blob: await keep(value) };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) members.push([key, await shorten(item as Json)]);
    return Object.fromEntries(members);
  };
  const storable = async (value: unknown): Promise<Json> => {
    const stored = await shorten(lossless(value));
    if (JSON.stringify(stored).length > 256 * 1024) throw new Error('More than 262144 bytes');
    return stored;
  };
  return { storable };
}
