import type { Subject } from '../../approval/events.ts';
import type { ApprovalId, CallId, SessionId } from '../../base/id.ts';
import type { Mode } from '../../sandbox/mode.ts';
import { ROOMY } from '../../sandbox/policy.fixture.ts';
import type { LaunchSettings, SandboxPolicy } from '../../sandbox/policy.ts';
import { grantingOwner } from '../../lease/granting.ts';
import type { CleanupCause } from '../../cleanup/cleanup.ts';
import type { Confinement } from '../ports.ts';
import type { CallPlan, OutputStream, ToolRun, TrackedProcess, Tracking } from '../tool.ts';

export function policyOf(mode: Mode, path: string, more: Partial<LaunchSettings> = {}): SandboxPolicy {
  return { mode, workspace: { path, device: '1', inode: '2' }, settings: { ...ROOMY, ...more } };
}

export function confinement(policy: SandboxPolicy): Confinement {
  return { sessionId: 's_test' as SessionId, policy };
}

/** A call as a body sees it; what it told of itself is kept. */
export class RecordingRun implements ToolRun {
  readonly callId = 'c1' as CallId;
  readonly at: Confinement;
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  approved?: Subject;
  writes: CallPlan['writes'] = 'whole';
  readonly lease = grantingOwner.beginRun();
  readonly seen = new Map<string, string>();
  readonly outputs: string[] = [];
  readonly tracked: TrackedProcess[] = [];
  readonly ended: CleanupCause[] = [];
  gone = 0;

  constructor(at: Confinement, approved?: { readonly approvalId: string; readonly standing: Mode }) {
    this.at = at;
    this.standing = approved?.standing ?? at.policy.mode;
    if (approved) this.approvalId = approved.approvalId as ApprovalId;
  }

  output(_stream: OutputStream, text: string): void {
    this.outputs.push(text);
  }

  standingEnvironment(): 'unchanged' | 'none' {
    return 'none';
  }

  async started(): Promise<void> {
    // Nothing is logged here.
  }

  recheck(): void {
    // No policy changes here.
  }

  /** Ends the process at once when asked, as a Cleanup would. */
  track(process: TrackedProcess): Tracking {
    this.tracked.push(process);
    return {
      end: (cause) => {
        this.ended.push(cause);
        void process.close(() => undefined);
      },
      gone: () => {
        this.gone += 1;
      },
    };
  }
}
