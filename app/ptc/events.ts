import type { CleanupId, EnvironmentId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { EnvironmentEnd } from './nodeProvider.ts';

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
