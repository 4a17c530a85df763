import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Result } from './result.ts';

export type Effect = 'read' | 'write' | 'manage';

export type ToolEvent =
  | Draft<
      'tool/call',
      {
        readonly turn: number;
        readonly step: number;
        readonly callId: CallId;
        readonly tool: string;
        readonly input: Json;
      }
    >
  | Draft<
      'tool/started',
      {
        readonly callId: CallId;
        readonly tool: string;
        readonly mode: Mode;
        readonly effect: Effect;
        readonly cwd: string;
        readonly roots: readonly string[];
        readonly environmentId?: EnvironmentId;
        readonly approvalId?: ApprovalId;
      }
    >
  | Draft<'tool/result', Result>
  | Draft<
      'tool/nested-start',
      {
        readonly callId: CallId;
        readonly rootCallId: CallId;
        readonly parentCallId: CallId;
        readonly tool: string;
        readonly input: Json;
      }
    >
  | Draft<'tool/nested-result', Result & { readonly rootCallId: CallId; readonly parentCallId: CallId }>;
