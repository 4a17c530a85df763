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

export type HeaderFault =
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'invalid'; readonly reason: string };

const ORIGINS = ['person', 'delegation', 'webhook', 'fork', 'import'] as const;
/** Policy once stood in the header. A log that still says so is refused: nothing may read it as policy (policy.md). */
const RETIRED = ['sandboxMode', 'approvalPolicy'];

/** Reads a header from the first line of a log. Members it does not know are left out. */
export function parseHeader(value: unknown): Header | HeaderFault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('it is not an object');
  const found = value as { readonly [key: string]: unknown }; // Any object may be asked for its members.
  const { version, id, createdAt, workspace } = found;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return invalid('it has no version');
  if (version > LOG_VERSION) return { kind: 'newer', version };
  const retired = RETIRED.find((key) => key in found);
  if (retired !== undefined) return invalid(`it has the retired member ${retired}; policy is in the events`);
  if (typeof id !== 'string' || id === '') return invalid('it has no id');
  if (typeof createdAt !== 'number') return invalid('it does not say when it was created');
  if (typeof workspace !== 'string' || workspace === '') return invalid('it has no workspace');
  // The brand only says which kind of id it is.
  return { version: LOG_VERSION, id: id as SessionId, createdAt, workspace, ...optional(found) };
}

export function isHeader(parsed: Header | HeaderFault): parsed is Header {
  return !('kind' in parsed);
}

function optional(found: { readonly [key: string]: unknown }): Partial<Header> {
  const { parent, seedLength, depth, title, agent } = found;
  const origin = ORIGINS.find((name) => name === found['origin']);
  return {
    ...(typeof parent === 'string' && { parent: parent as SessionId }), // As above.
    ...(typeof seedLength === 'number' && { seedLength }),
    ...(origin && { origin }),
    ...(typeof depth === 'number' && { depth }),
    ...(typeof title === 'string' && { title }),
    ...(typeof agent === 'string' && { agent }),
  };
}

function invalid(reason: string): HeaderFault {
  return { kind: 'invalid', reason };
}
