import type { Writable } from 'node:stream';
import { Outlet } from '../outlet.ts';

/** Text of an agent or a file, made harmless for a terminal: it may start a line, not move the cursor or hide itself. */
export function visible(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Prints lines one after the other and waits until they are out. A reader that goes away early is no fault. */
export async function print(stdout: Writable, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const outlet = new Outlet(stdout);
  for await (const line of lines) {
    if (outlet.gone.aborted) return;
    await outlet.send(line);
  }
  await outlet.flushed();
}

/** Columns as wide as their widest cell; the last one is left as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
