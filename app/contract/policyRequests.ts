import { z } from 'zod';
import type { ApprovalId, SessionId } from '../base/id.ts';
import type { PendingApproval } from '../approval/question.ts';
import type { Decider, OutcomeName } from '../approval/events.ts';
import type { What } from '../cleanup/cleanup.ts';
import { APPROVAL_POLICIES } from '../policy/events.ts';
import { MODES } from '../sandbox/mode.ts';
import { id, seq, shape, someText, text } from './schema.ts';

const sessionId = id<SessionId>();
const mode = z.enum(MODES);
const policy = z.enum(APPROVAL_POLICIES);
/** What a switch ends: still alive, and started under another Mode. */
const stopped = z.object({
  what: shape<What>(),
  id: z.string(),
  title: z.string(),
  mode,
  pid: z.int().exactOptional(),
});
const stopping = z.array(stopped.readonly()).readonly();
const presetRow = z.object({
  name: z.string(),
  sandbox: mode,
  approval: policy,
  label: z.string(),
  description: z.string(),
});

export const presetRequests = {
  list: {
    input: z.strictObject({ sessionId: sessionId.exactOptional() }),
    output: z.object({
      /** In declaration order. */
      presets: z.array(presetRow.readonly()).readonly(),
      /** Of the Session asked about; `custom` when no preset matches. */
      current: z.string().exactOptional(),
    }),
  },
  preview: {
    input: z.strictObject({ sessionId, preset: someText }),
    output: z.object({
      changes: z.object({ mode: mode.exactOptional(), policy: policy.exactOptional() }).readonly(),
      stopping,
    }),
  },
  set: {
    input: z.strictObject({ sessionId, preset: someText }),
    /** `seq` is absent when nothing changed. */
    output: z.object({ seq: seq.exactOptional(), stopping }),
  },
};

export const modeRequests = {
  set: { input: z.strictObject({ sessionId, mode }), output: z.object({ seq, stopping }) },
};

export const approvalPolicyRequests = {
  set: { input: z.strictObject({ sessionId, policy }), output: z.object({ seq }) },
};

export const approvalRequests = {
  list: {
    input: z.strictObject({ sessionId: sessionId.exactOptional() }),
    output: z.object({ approvals: z.array(shape<PendingApproval>()).readonly() }),
  },
  decide: {
    input: z.strictObject({
      approvalId: id<ApprovalId>(),
      decision: z.enum(['allow-once', 'deny']),
      note: text.exactOptional(),
    }),
    /** `settled` is false for a late or second answer; `by` and `outcome` then tell who decided, and how. */
    output: z.object({ settled: z.boolean(), by: shape<Decider>(), outcome: shape<OutcomeName>() }),
  },
};
