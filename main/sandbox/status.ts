import type { Readable } from 'node:stream';

/**
 * What bubblewrap says of itself, out of band: JSON objects on the status descriptor. Only this tells a failed launcher
 * from a failed command; the text on stderr is the command's own (sandbox.md).
 */
export interface Status {
  /** Host pid of the sandbox's init; undefined when there never was one. */
  readonly init: Promise<number | undefined>;
  /** The exit code of what ran inside; undefined when nothing did. */
  readonly exitCode: Promise<number | undefined>;
}

export function readStatus(stream: Readable): Status {
  const init = Promise.withResolvers<number | undefined>();
  const exitCode = Promise.withResolvers<number | undefined>();
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
    if (text.includes('\n')) init.resolve(numberIn(text, 'child-pid'));
  });
  // A broken pipe ends the reading like its end does: what was not said was not said.
  stream.on('error', () => undefined);
  stream.once('close', () => {
    init.resolve(numberIn(text, 'child-pid'));
    exitCode.resolve(numberIn(text, 'exit-code'));
  });
  return { init: init.promise, exitCode: exitCode.promise };
}

function numberIn(text: string, key: string): number | undefined {
  const found = new RegExp(`"${key}":\\s*(\\d+)`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
