import { z } from 'zod';
import type { SessionId } from '../base/id.ts';
import type { SessionEvent, TurnEndReason } from '../session/events.ts';
import type { Header } from '../session/header.ts';
import type { Verification } from '../session/verify.ts';
import type { SessionRow, SessionView } from '../session/view.ts';
import { id, path, seq, shape, someText, text } from './schema.ts';

const sessionId = id<SessionId>();
const one = z.strictObject({ sessionId });
const events = z.array(shape<SessionEvent>()).readonly();

export const sessionRequests = {
  create: {
    input: z.strictObject({
      workspace: path,
      preset: someText.exactOptional(),
      /** `script:<path>`, or `demo`. */
      agent: path.exactOptional(),
      title: someText.exactOptional(),
      /** The codes of a `workspace-refused` error that a person has confirmed. */
      confirmed: z.array(text).readonly().exactOptional(),
    }),
    output: z.object({ sessionId }),
  },
  list: {
    input: z.strictObject({
      query: text.exactOptional(),
      state: z.enum(['waiting', 'running', 'failed', 'idle']).exactOptional(),
      workspace: path.exactOptional(),
      archived: z.boolean().exactOptional(),
      cursor: text.exactOptional(),
    }),
    output: z.object({ sessions: z.array(shape<SessionRow>()).readonly(), cursor: z.string().exactOptional() }),
  },
  open: {
    /** `after` is exclusive. */
    input: z.strictObject({ sessionId, after: z.int().min(-1).exactOptional() }),
    output: z.object({ header: shape<Header>(), view: shape<SessionView>(), events, more: z.boolean() }),
  },
  events: {
    /** Half-open: `[from, to)`. */
    input: z.strictObject({ sessionId, from: seq, to: seq }),
    output: z.object({ events }),
  },
  prompt: { input: z.strictObject({ sessionId, text: someText }), output: z.object({ seq }) },
  stop: { input: one, output: z.object({}) },
  idle: { input: one, output: z.object({ reason: shape<TurnEndReason | 'none'>() }) },
  verify: { input: one, output: shape<Verification>() },
};
