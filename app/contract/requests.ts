import type { z } from 'zod';
import type { SessionId } from '../base/id.ts';
import { jobRequests } from './jobRequests.ts';
import { demoRequests, hostRequests, secretRequests, textRequests } from './hostRequests.ts';
import {
  cleanupRequests,
  doctorRequests,
  environmentRequests,
  probeRequests,
  scriptRequests,
  settingsRequests,
  toolRequests,
} from './machineRequests.ts';
import { approvalPolicyRequests, approvalRequests, modeRequests, presetRequests } from './policyRequests.ts';
import { sessionRequests } from './sessionRequests.ts';

/**
 * Everything that a window, a script or a test may ask, through whichever door; therefore the list to review for
 * security. A request that is not built is absent (contract.md).
 */
export const requests = {
  'session.create': sessionRequests.create,
  'session.list': sessionRequests.list,
  'session.open': sessionRequests.open,
  'session.events': sessionRequests.events,
  'session.prompt': sessionRequests.prompt,
  'session.stop': sessionRequests.stop,
  'session.idle': sessionRequests.idle,
  'session.verify': sessionRequests.verify,
  'preset.list': presetRequests.list,
  'preset.preview': presetRequests.preview,
  'preset.set': presetRequests.set,
  'mode.set': modeRequests.set,
  'approvalPolicy.set': approvalPolicyRequests.set,
  'approval.list': approvalRequests.list,
  'approval.decide': approvalRequests.decide,
  'cleanup.list': cleanupRequests.list,
  'cleanup.retry': cleanupRequests.retry,
  'environment.list': environmentRequests.list,
  'environment.reset': environmentRequests.reset,
  'tool.declarations': toolRequests.declarations,
  'job.list': jobRequests.list,
  'job.output': jobRequests.output,
  'job.stop': jobRequests.stop,
  'doctor.run': doctorRequests.run,
  'probe.run': probeRequests.run,
  'settings.get': settingsRequests.get,
  'settings.set': settingsRequests.set,
  'settings.replace': settingsRequests.replace,
  'script.release': scriptRequests.release,
  'text.read': textRequests.read,
  'demo.start': demoRequests.start,
  'host.describe': hostRequests.describe,
  'host.pickFolder': hostRequests.pickFolder,
  'host.openExternal': hostRequests.openExternal,
  'secret.list': secretRequests.list,
  'secret.set': secretRequests.set,
  'secret.remove': secretRequests.remove,
} as const;

export type RequestName = keyof typeof requests;
/** What a handler gets: parsed. */
export type Input<N extends RequestName> = z.output<(typeof requests)[N]['input']>;
export type Output<N extends RequestName> = Readonly<z.output<(typeof requests)[N]['output']>>;

/** Who asks. Made by the door from what it knows of the connection, never from what the request says. */
export interface Caller {
  /** Names the connection; it is recorded with a decision that came through it. */
  readonly door: string;
  /** From now on this door is pushed the Session's events without a gap, from `seq` on, or from the next one. */
  follow(sessionId: SessionId, seq?: number): void;
}

export type Handlers = {
  readonly [N in RequestName]: (input: Input<N>, caller: Caller) => Promise<Output<N>>;
};

/** Own names only: `toString` is no request. */
export function isRequest(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requests, name);
}
