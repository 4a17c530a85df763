import type { CallId, SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/text.ts';
import type { ApprovalEvent } from '../approval/events.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Draft, Event } from '../log/event.ts';
import type { PolicyEvent } from '../policy/events.ts';
import type { HookEvent } from '../hook/events.ts';
import type { JobEvent } from '../job/events.ts';
import type { EnvironmentEvent } from '../ptc/events.ts';
import type { ToolEvent } from '../tool/events.ts';

export type Origin = 'person' | 'webhook' | 'parent' | 'job';
export type TurnEndReason = 'completed' | 'aborted' | 'blocked' | 'error' | 'max-tokens' | 'interrupted';

export interface ProposedCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Json;
}

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** What the conversation itself records. Long texts are Texts with a blob. */
export type ConversationEvent =
  | Draft<'session/title', { readonly title: string; readonly by: 'person' | 'agent' }>
  | Draft<'session/end-seed', Record<string, never>>
  | Draft<'user/message', { readonly text: string | Text; readonly origin: Origin; readonly queued: boolean }>
  | Draft<'turn/start', { readonly turn: number; readonly prompt: number }>
  | Draft<'step/start', { readonly turn: number; readonly step: number; readonly through: number }>
  | Draft<'assistant/chunk', { readonly turn: number; readonly step: number; readonly text: string }>
  | Draft<
      'assistant/message',
      {
        readonly turn: number;
        readonly step: number;
        readonly text: string | Text;
        readonly calls: readonly ProposedCall[];
        readonly usage?: Usage;
      }
    >
  | Draft<'turn/stopping', { readonly turn: number; readonly by: 'person' | 'shutdown' | 'parent' }>
  | Draft<
      'turn/end',
      {
        readonly turn: number;
        readonly reason: TurnEndReason;
        readonly by?: 'person' | 'shutdown' | 'parent';
        readonly message?: string;
      }
    >
  | Draft<'context/policy', { readonly text: string }>
  | Draft<
      'session/delegated',
      { readonly callId: CallId; readonly childId: SessionId; readonly title: string; readonly background: boolean }
    >
  | Draft<'session/notice', { readonly code: string; readonly message: string }>;

/** The union of all rooms: everything a Session's log may hold. */
export type SessionDraft =
  | PolicyEvent
  | ApprovalEvent
  | CleanupEvent
  | ToolEvent
  | EnvironmentEvent
  | HookEvent
  | JobEvent
  | ConversationEvent;
export type SessionEvent = Event<SessionDraft>;

/** Every type this program knows. A log with another one that is not `ignorable` is refused (sessions.md, Event). */
export const KNOWN_TYPES: ReadonlySet<string> = new Set<SessionDraft['type']>([
  'permission/preset',
  'sandbox/mode',
  'approval/policy',
  'sandbox/settings',
  'approval/asked',
  'approval/decided',
  'cleanup/asked',
  'cleanup/ended',
  'tool/call',
  'tool/started',
  'tool/result',
  'tool/nested-start',
  'tool/nested-result',
  'environment/started',
  'environment/ended',
  'hook/ran',
  'job/started',
  'job/ended',
  'session/title',
  'session/end-seed',
  'user/message',
  'turn/start',
  'step/start',
  'assistant/chunk',
  'assistant/message',
  'turn/stopping',
  'turn/end',
  'context/policy',
  'session/delegated',
  'session/notice',
]);

/** What an older program may skip: it is marked so whenever it is appended (contract.md, Events). */
export const IGNORABLE_TYPES: ReadonlySet<string> = new Set<SessionDraft['type']>([
  'assistant/chunk',
  'session/notice',
]);
