import { z } from 'zod';
import type { CleanupId, SessionId } from '../base/id.ts';
import type { Cleanup } from '../cleanup/cleanup.ts';
import type { EnvironmentRow } from '../ptc/nodeProvider.ts';
import { MODES } from '../sandbox/mode.ts';
import { FINDINGS, SUBJECTS } from '../sandbox/probe.ts';
import { ENFORCEMENTS } from '../sandbox/provider.ts';
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

export const toolRequests = {
  /** TypeScript of what a program of this Session may call now. */
  declarations: { input: z.strictObject({ sessionId }), output: z.object({ text: z.string() }) },
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

const probe = z.object({
  subject: z.enum(SUBJECTS),
  /** As seen from inside; an address where it is no file. */
  path: z.string(),
  /** What the policy in force claims, in the words of what may be observed (app/sandbox/probe.ts). */
  expected: z.enum(FINDINGS).exclude(['untried', 'unclear']),
  observed: z.enum(FINDINGS),
  /** The code of the operating system, where it refused. */
  detail: z.string().exactOptional(),
});

export const probeRequests = {
  /** Tries in the Session's real sandbox what its standing policy claims. It waits for no call and leaves nothing behind. */
  run: {
    input: z.strictObject({ sessionId }),
    output: z.object({
      mode: z.enum(MODES),
      provider: z.string(),
      enforcement: z.enum(ENFORCEMENTS),
      probes: z.array(probe.readonly()).readonly(),
    }),
  },
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
