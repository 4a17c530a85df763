import { digestOfLoggedCall, type Digest } from '../approval/boundCall.ts';
import type { ApprovalEvent, Subject } from '../approval/events.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Header } from './header.ts';

/** Whose log it is: what the digest of a question can be had again from. */
export interface LogOf {
  readonly header: Pick<Header, 'id' | 'workspace' | 'seedLength'>;
  readonly digest: Digest;
}

export type Asked = Extract<ApprovalEvent, { readonly type: 'approval/asked' }>['data'];

/** How a question differs from the call that it was asked for: what a person was shown must be what could then run. */
export function unlike(
  { id, callId, tool, subject }: Asked,
  call: { readonly tool: string; readonly input: Json } | undefined,
): readonly string[] {
  // Not every question is about a call that an answer proposed.
  if (!call) return [];
  if (call.tool !== tool) return [`Approval ${id} is asked about ${tool}; call ${callId} is one of ${call.tool}`];
  const [member, shown] = shownOf(subject);
  const { input } = call;
  const asked = typeof input === 'object' && input !== null ? (input as JsonObject) : {};
  if (member === undefined || isSame(shown, asked[member])) return [];
  return [`Approval ${id} shows another ${member} than call ${callId} has`];
}

/** The digest that an answer was bound to must be that of the call as the log has it; `of` tells whose log it is. */
export function unbound(
  { id, callId, tool, subject, subjectDigest, scope }: Asked,
  call: { readonly input: Json } | undefined,
  of: LogOf | undefined,
): readonly string[] {
  const cwd = 'cwd' in subject ? subject.cwd : of?.header.workspace;
  // A folder's name that is longer than a log takes is none that exists.
  if (!of || !call || typeof cwd !== 'string') return [];
  const to = scope.to && { to: scope.to };
  const bound = { sessionId: of.header.id, tool, input: call.input, cwd, ...to };
  if (digestOfLoggedCall(bound, of.digest) === subjectDigest) return [];
  return [`Approval ${id} is bound to another call than ${callId} as it was made`];
}

/** The member of the input that a subject shows as it is. */
function shownOf(subject: Subject): readonly ['code' | 'command', unknown] | readonly [] {
  if (subject.kind === 'program') return ['code', subject.code];
  return subject.kind === 'command' ? ['command', subject.command] : [];
}

/** Long texts may be kept at different lengths; of two that are, their blobs tell. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one === other;
  const [first, second] = [blobOf(one), blobOf(other)];
  return first === undefined || second === undefined || first === second;
}

function blobOf(text: unknown): unknown {
  return typeof text === 'object' && text !== null && 'blob' in text ? text.blob : undefined;
}
