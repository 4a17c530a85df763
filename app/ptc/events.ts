import type { CleanupId, EnvironmentId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';

/** Why an Environment and its variables are gone. */
export type EnvironmentEnd =
  | 'released'
  | 'mode-changed'
  | 'settings-changed'
  | 'timeout'
  | 'abort'
  | 'output-limit'
  | 'heap-limit'
  | 'memory-limit'
  | 'process-limit'
  | 'temp-limit'
  | 'crash'
  | 'exit'
  | 'idle'
  | 'reset'
  | 'restarted'
  | 'protected-entry';

export type EnvironmentEvent =
  | Draft<
      'environment/started',
      {
        readonly environmentId: EnvironmentId;
        readonly pid: number;
        readonly startTime: string;
        readonly mode: Mode;
        readonly retained: boolean;
        readonly owner?: string;
      }
    >
  | Draft<
      'environment/ended',
      {
        readonly environmentId: EnvironmentId;
        readonly reason: EnvironmentEnd;
        readonly exitCode: number | null;
        readonly signal: string | null;
        readonly cleanupId?: CleanupId;
      }
    >;
