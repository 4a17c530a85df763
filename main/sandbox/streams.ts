import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex, Readable, Writable } from 'node:stream';

export interface ProcessStreams {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
}

/** A stream without content closes by itself, maybe before anybody could listen. */
export async function closing(stream: Readable | Writable): Promise<void> {
  if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', resolve));
}

/** How long a reader may take for what a dead process left in its pipes. */
const DRAIN_MS = 1000;

/**
 * Gives the descriptors of a dead process back. What somebody reads is read to its end, which is there already; what
 * nobody took is thrown away.
 */
export async function releaseStreams({ stdin, stdout, stderr, channels }: ProcessStreams): Promise<void> {
  stdin?.destroy();
  const readable = [stdout, stderr, ...channels];
  for (const stream of readable) if (stream.readableFlowing === null) stream.destroy();
  const ends = [...(stdin ? [stdin] : []), ...readable].map(closing);
  const drained = new AbortController();
  await Promise.race([
    Promise.all(ends),
    delay(DRAIN_MS, undefined, { signal: drained.signal }).catch(() => undefined),
  ]);
  drained.abort();
  // Somebody who is no part of the tree may hold the other end.
  for (const stream of readable) stream.destroy();
}
