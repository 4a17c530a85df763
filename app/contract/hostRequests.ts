import { z } from 'zod';
import type { SessionId } from '../base/id.ts';
import type { HostDescription } from './host.ts';
import { SECRET_NAMES, type SecretRow } from './host.ts';
import { id, nothing, shape, someText, text } from './schema.ts';

/** What a window asks of the program around it. The core does not know which host that is (hosts.md). */
export const hostRequests = {
  describe: { input: nothing, output: shape<HostDescription>() },
  /** `path` is absent when the person chose none. Where the host has no dialog (`canPickFolder`), `forbidden`. */
  pickFolder: { input: nothing, output: z.object({ path: z.string().exactOptional() }) },
  /** Only `https:`; anything else is `forbidden`. */
  openExternal: { input: z.strictObject({ url: someText.max(2048) }), output: z.object({}) },
};

const secretName = z.enum(SECRET_NAMES);
const secretRows = z.object({ secrets: z.array(shape<SecretRow>()).readonly() });

export const secretRequests = {
  list: { input: nothing, output: secretRows },
  /** Where the host cannot protect it, `forbidden` until the person has agreed that it is kept unprotected. */
  set: {
    input: z.strictObject({ name: secretName, value: someText.max(4096), agreed: z.literal(true).exactOptional() }),
    output: secretRows,
  },
  remove: { input: z.strictObject({ name: secretName }), output: secretRows },
};

export const demoRequests = {
  /** A new Session of the offline demo in a folder of its own, its first prompt sent. */
  start: { input: nothing, output: z.object({ sessionId: id<SessionId>() }) },
};

/** Of a page of a long text, in bytes of UTF-8. */
const PAGE = 256 * 1024;

export const textRequests = {
  /**
   * A page of a text that the log keeps beside it (`Text.blob`). A character is never cut in two: the page begins and ends
   * at the nearest whole one. `next` is where the following page starts; absent at the end.
   */
  read: {
    input: z.strictObject({
      sessionId: id<SessionId>(),
      blob: text.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
      from: z.int().nonnegative().exactOptional(),
      bytes: z.int().positive().max(PAGE).exactOptional(),
    }),
    output: z.object({
      text: z.string(),
      from: z.int().nonnegative(),
      next: z.int().nonnegative().exactOptional(),
      /** Of the whole text. */
      bytes: z.int().nonnegative(),
    }),
  },
};
