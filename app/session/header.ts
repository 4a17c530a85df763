import type { SessionId } from '../base/id.ts';

export const LOG_VERSION = 1;

/** The immutable first line of a Session's log (sessions.md, Header). Policy is never here. */
export interface Header {
  readonly version: typeof LOG_VERSION;
  readonly id: SessionId;
  readonly createdAt: number;
  /** Canonical absolute workspace root; never changes. */
  readonly workspace: string;
  readonly parent?: SessionId;
  /** Length of the fork prefix in the seed; inherited records of a delegation come after it. */
  readonly seedLength?: number;
  readonly origin?: 'person' | 'delegation' | 'webhook' | 'fork' | 'import';
  readonly depth?: number;
  readonly title?: string;
  /** `script:<path>`, or a configured agent. */
  readonly agent?: string;
}
