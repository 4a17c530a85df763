import type { ApprovalEvent } from '../approval/events.ts';
import type { ApprovalSession } from '../approval/question.ts';
import type { Json } from '../base/json.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Journal } from '../log/journal.ts';
import type { PolicyEvent } from '../policy/events.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { SandboxPolicy } from '../sandbox/policy.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import type { ToolEvent } from './events.ts';
import type { Receipt } from './result.ts';

/** A Session as its calls see it. */
export interface DispatchSession extends ApprovalSession {
  readonly journal: Journal<ToolEvent | ApprovalEvent | CleanupEvent | PolicyEvent>;
  /** Lossless, with long strings kept as blobs. */
  storable(value: unknown): Promise<Json>;
  /** The whole policy of a Mode as of now: workspace and settings read anew. */
  resolvePolicy(mode: Mode): Promise<SandboxPolicy | Unavailable>;
  /** Why nothing can be confined on this machine now; undefined when it can. */
  confinementFault(): Promise<Unavailable | undefined>;
  /** Files this Session has read or written, by path: SHA-256 at that time. */
  readonly seen: Map<string, string>;
  /** Whether a retained Environment stands beside an escalated call, for its receipt. */
  standingEnvironment(): Receipt['standing'];
}
