import type { ApprovalId, SessionId } from '../base/id.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyPair, type PolicyState } from '../policy/fold.ts';
import type { ApprovalPolicy } from '../policy/events.ts';
import { CUSTOM } from '../policy/presetTable.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { TurnEndReason } from './events.ts';
import type { Header } from './header.ts';
import type { Child, Folded, OpenCleanup, OpenEnvironment } from './view/fold.ts';

export type SessionState = 'waiting' | 'running' | 'failed' | 'idle';

/** A Session as every door shows it (contract.md, `view`): a pure function of header, fold and the presets of the day. */
export interface SessionView {
  /** Of the last event; -1 of an empty log. */
  readonly seq: number;
  readonly title: string;
  readonly workspace: string;
  readonly preset: string;
  /** The choice in the log: where two presets share a pair it decides, also after the table has changed. */
  readonly recordedPreset?: string;
  readonly mode: Mode;
  readonly policy: ApprovalPolicy;
  readonly state: SessionState;
  readonly turn?: number;
  /** How the last turn that ended did so. */
  readonly lastEnd?: TurnEndReason;
  readonly queued: readonly number[];
  readonly approvals: readonly ApprovalId[];
  readonly environments: readonly OpenEnvironment[];
  readonly cleanups: readonly OpenCleanup[];
  readonly children: readonly Child[];
  readonly readOnly?: ReadOnly;
}

export interface ReadOnly {
  readonly reason: 'open-elsewhere' | 'damaged' | 'newer';
  readonly holder?: string;
  readonly line?: number;
}

/** What stands outside of the log: the table of presets and the pair of a log that says nothing. */
export interface ViewContext {
  readonly presetOf: (policy: PolicyState) => string;
  readonly fallback: PolicyPair;
}

/** Without a table: the preset that was recorded, else `custom`. */
export const NO_PRESETS: ViewContext = {
  presetOf: (policy) => policy.preset?.value ?? CUSTOM,
  fallback: DEPLOYMENT_DEFAULT,
};

export interface ViewSource {
  readonly header: Header;
  readonly length: number;
  readonly folded: Folded;
  readonly readOnly?: ReadOnly;
}

export function toView({ header, length, folded, readOnly }: ViewSource, context = NO_PRESETS): SessionView {
  const { policy, queued, approvals, environments, cleanups, children, turn, lastEnd } = folded;
  return {
    seq: length - 1,
    title: titleOf(header, folded),
    workspace: header.workspace,
    preset: context.presetOf(policy),
    ...(policy.preset && { recordedPreset: policy.preset.value }),
    ...effective(policy, context.fallback),
    state: stateOf(folded),
    ...(turn !== undefined && { turn }),
    ...(lastEnd && { lastEnd }),
    queued,
    approvals,
    environments,
    cleanups,
    children,
    ...(readOnly && { readOnly }),
  };
}

/** One line of `session.list`. */
export interface SessionRow {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly workspace: string;
  readonly parent?: SessionId;
  readonly state: SessionState;
  readonly preset: string;
  readonly updated: number;
  readonly damaged?: true;
}

export interface RowSource {
  readonly id: SessionId;
  /** Absent when even the first line is damaged. */
  readonly header?: Header;
  readonly folded: Folded;
  readonly updated: number;
  readonly damaged: boolean;
}

export function toRow({ id, header, folded, updated, damaged }: RowSource, context = NO_PRESETS): SessionRow {
  return {
    sessionId: id,
    title: titleOf(header, folded),
    workspace: header?.workspace ?? '',
    ...(header?.parent !== undefined && { parent: header.parent }),
    state: stateOf(folded),
    preset: context.presetOf(folded.policy),
    updated,
    ...(damaged && { damaged: true }),
  };
}

/** Waiting outranks all: a person is needed. Only a turn that broke is failed; a stopped or interrupted one is idle. */
function stateOf(folded: Folded): SessionState {
  if (folded.approvals.length > 0) return 'waiting';
  if (folded.turn !== undefined) return 'running';
  return folded.lastEnd === 'error' ? 'failed' : 'idle';
}

function titleOf(header: Header | undefined, folded: Folded): string {
  return folded.title ?? header?.title ?? folded.opening ?? '';
}
