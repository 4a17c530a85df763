import type { BoundCall } from '../approval/boundCall.ts';
import type { Subject } from '../approval/events.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { CallRequest } from './callRequest.ts';
import type { Confinement } from './ports.ts';

/**
 * What an answer about this call is bound to: the arguments as they were given, since those are in the log, and the
 * working folder as a person is shown it. `verify` has the same digest again from the log alone.
 */
export function boundCall(
  { tool, input }: Pick<CallRequest, 'tool' | 'input'>,
  { sessionId, policy }: Confinement,
  { subject, to }: { readonly subject: Subject; readonly to?: Mode },
): BoundCall {
  const cwd = 'cwd' in subject ? subject.cwd : policy.workspace.path;
  return { sessionId, tool, input, cwd, ...(to !== undefined && { to }) };
}
