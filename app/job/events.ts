import type { CallId, JobId, SessionId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';

/** `ended`: by itself, whatever its exit code. Everything else says what ended it. */
export type JobOutcome =
  | 'ended'
  | 'stopped'
  | 'mode-changed'
  | 'settings-changed'
  | 'memory-limit'
  | 'process-limit'
  | 'temp-limit'
  | 'output-limit'
  | 'protected-entry'
  | 'shutdown'
  | 'restarted';

export type JobKind = 'command' | 'agent';

export type JobEvent =
  | Draft<
      'job/started',
      {
        readonly jobId: JobId;
        readonly callId: CallId;
        readonly kind: JobKind;
        readonly title: string;
        readonly paths?: readonly string[];
        readonly pid?: number;
        readonly startTime?: string;
        readonly childId?: SessionId;
      }
    >
  | Draft<
      'job/ended',
      {
        readonly jobId: JobId;
        readonly outcome: JobOutcome;
        readonly exitCode: number | null;
        readonly signal: string | null;
      }
    >;
