import { z } from 'zod';
import type { CleanupId, SessionId } from '../base/id.ts';
import type { Cleanup } from '../cleanup/cleanup.ts';
import type { EnvironmentRow } from '../ptc/nodeProvider.ts';
import { id, jsonObject, nothing, shape, someText } from './schema.ts';

const sessionId = id<SessionId>();
const maybeOne = z.strictObject({ sessionId: sessionId.exactOptional() });
const settings = z.object({
  revision: z.string(),
  /** What is in force, defaults filled in; keys of the file that we do not know are there as well. */
  settings: jsonObject,
  /** Why the file is not in force: what was good last is, or the narrowest. */
  problem: z.object({ message: z.string() }).readonly().exactOptional(),
});

export const cleanupRequests = {
  list: { input: maybeOne, output: z.object({ cleanups: z.array(shape<Cleanup>()).readonly() }) },
  retry: { input: z.strictObject({ cleanupId: id<CleanupId>() }), output: z.object({}) },
};

export const environmentRequests = {
  list: { input: maybeOne, output: z.object({ environments: z.array(shape<EnvironmentRow>()).readonly() }) },
  reset: { input: z.strictObject({ sessionId }), output: z.object({}) },
};

const check = z.object({
  name: z.string(),
  ok: z.boolean(),
  message: z.string(),
  /** One sentence that tells a person what to do. */
  remedy: z.string().exactOptional(),
});

export const doctorRequests = {
  run: { input: nothing, output: z.object({ checks: z.array(check.readonly()).readonly() }) },
};

export const settingsRequests = {
  get: { input: nothing, output: settings },
  /** `revision` is the one that the changes were made against; a stale one is a `conflict`, and so is an unreadable file. */
  set: { input: z.strictObject({ revision: z.string(), changes: jsonObject }), output: settings },
  /** Also over a file that cannot be read, which is kept next to the new one. Only when a person said so. */
  replace: { input: z.strictObject({ revision: z.string().exactOptional(), changes: jsonObject }), output: settings },
};

export const scriptRequests = {
  /** Sticky: a barrier named before the script gets there is already open. */
  release: { input: z.strictObject({ sessionId, barrier: someText }), output: z.object({}) },
};
