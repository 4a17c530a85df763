import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines, type Line } from './lines.ts';

const never = new AbortController().signal;

async function linesOf(chunks: Iterable<string | Buffer>, limit = 10): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(Readable.from(chunks), limit, never)) lines.push(line);
  return lines;
}
const text = (value: string): Line => ({ kind: 'text', text: value });

it('cuts at newlines wherever the chunks were cut, also inside a character', async () => {
  const bytes = Buffer.from('a\nбв\n\n€');
  expect(await linesOf(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['a', 'бв', '', '€'].map(text));
  expect(await linesOf([bytes])).toEqual(['a', 'бв', '', '€'].map(text));
});

it('counts a last line without a newline, and no line after a last newline', async () => {
  expect(await linesOf(['a\nhalf'])).toEqual([text('a'), text('half')]);
  expect(await linesOf(['a\n'])).toEqual([text('a')]);
  expect(await linesOf([])).toEqual([]);
});

it('takes a line of exactly the limit and tells a longer one once, with what follows intact', async () => {
  expect(await linesOf(['1234567890\n'])).toEqual([text('1234567890')]);
  expect(await linesOf(['12345678901\nok\n'])).toEqual([{ kind: 'too-large' }, text('ok')]);
  expect(await linesOf(['123456', '78901', 'more', 'and more\nok'])).toEqual([{ kind: 'too-large' }, text('ok')]);
  expect(await linesOf(['12345678901'])).toEqual([{ kind: 'too-large' }]);
});

it('tells that a line is too large before the line has ended', async () => {
  const input = new PassThrough();
  const lines = readLines(input, 10, never);
  input.write('x'.repeat(11));
  expect((await lines.next()).value).toEqual({ kind: 'too-large' });
  input.destroy();
});

it('tells invalid UTF-8, and goes on with the next line', async () => {
  expect(await linesOf([Buffer.from([0xff, 0xfe, 0x0a]), 'ok\n'])).toEqual([{ kind: 'not-utf8' }, text('ok')]);
});

it('keeps nothing of a line of 100 MB', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let peak = 0;
  function* source() {
    for (let sent = 0; sent < 100 * 1024 * 1024; sent += chunk.length) {
      const { heapUsed, external } = process.memoryUsage();
      peak = Math.max(peak, heapUsed + external);
      yield chunk;
    }
    yield '\nok\n';
  }
  const { heapUsed, external } = process.memoryUsage();
  expect(await linesOf(source(), 1024 * 1024)).toEqual([{ kind: 'too-large' }, text('ok')]);
  expect(peak - heapUsed - external).toBeLessThan(30 * 1024 * 1024);
});

it('gives nothing more after the signal, and lets go of the stream', async () => {
  const input = new PassThrough();
  const end = new AbortController();
  const lines = readLines(input, 10, end.signal);
  input.write('a\nb\n');
  expect((await lines.next()).value).toEqual(text('a'));
  end.abort();
  expect(await lines.next()).toEqual({ done: true, value: undefined });
  expect(input.destroyed).toBe(true);
});

it('ends when the stream breaks, without what it had of the last line', async () => {
  const input = new PassThrough();
  const lines = readLines(input, 10, never);
  input.write('a\nhalf');
  expect((await lines.next()).value).toEqual(text('a'));
  input.destroy(new Error('reset'));
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});
