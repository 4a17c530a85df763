import type { SessionId } from '../../app/base/id.ts';
import type { StartedItem } from '../../app/cleanup/cleanup.ts';
import type { Started } from '../../app/cleanup/started.ts';
import type { Output } from '../../app/contract/requests.ts';
import { effective } from '../../app/policy/fold.ts';
import type { Presets } from '../../app/policy/presets.ts';
import { setApprovalPolicy, setSandboxMode } from '../../app/policy/setters.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { Core } from '../coreShape.ts';
import { known } from './creation.ts';
import { viewOf, type Lookup } from './lookup.ts';

export interface PolicyRequestParts {
  readonly lookup: Lookup;
  readonly presets: Presets;
  readonly started: Started;
}

type Stopping = Output<'mode.set'>['stopping'];

/** The requests `preset.*`, `mode.set` and `approvalPolicy.set`. Each setter has returned before anything it stops is gone. */
export function policyRequests({ lookup, presets, started }: PolicyRequestParts): Core['policy'] {
  const stopping = (id: SessionId, mode: Mode | undefined): Stopping =>
    mode === undefined ? [] : started.stoppedBy(id, mode).map(shown);
  return {
    presets: async ({ sessionId }) => {
      if (sessionId === undefined) return { presets: presets.list() };
      return { presets: presets.list(), current: viewOf(await lookup.opened(sessionId)).preset };
    },
    preview: async ({ sessionId, preset }) => {
      const opened = await lookup.opened(sessionId);
      const state = opened.kind === 'live' ? opened.live.session.policyState() : opened.stored.folded.policy;
      const changes = known(presets.preview(state, preset));
      return { changes, stopping: stopping(sessionId, changes.mode) };
    },
    setPreset: async ({ sessionId, preset }) => {
      const { session } = await lookup.writable(sessionId);
      // Asked before the switch: right after it they are being ended.
      const stops = stopping(sessionId, known(presets.preview(session.policyState(), preset)).mode);
      const set = known(presets.set(session, preset));
      await session.flush();
      return { ...set, stopping: stops };
    },
    setMode: async ({ sessionId, mode }) => {
      const { session } = await lookup.writable(sessionId);
      const changes = effective(session.policyState()).mode !== mode;
      const stops = stopping(sessionId, changes ? mode : undefined);
      const { seq } = setSandboxMode(session, mode, 'direct');
      await session.flush();
      return { seq, stopping: stops };
    },
    setApprovalPolicy: async ({ sessionId, policy }) => {
      const { session } = await lookup.writable(sessionId);
      const { seq } = setApprovalPolicy(session, policy, 'direct');
      await session.flush();
      return { seq };
    },
  };
}

function shown({ what, id, title, mode, process }: StartedItem): Stopping[number] {
  return { what, id, title, mode, ...(process && { pid: process.pid }) };
}
