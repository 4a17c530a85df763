import { MODES, type Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy, Source } from './events.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyPair, type PolicyState } from './fold.ts';
import { setApprovalPolicy, setSandboxMode } from './setters.ts';
import type { PolicySubject } from './subject.ts';

/** A named pair. It sets these two and nothing else. */
export interface Preset {
  readonly name: string;
  readonly sandbox: Mode;
  readonly approval: ApprovalPolicy;
  readonly label: string;
  readonly description: string;
}

/** In declaration order, which decides where two entries have one pair. */
export type PresetTable = readonly Preset[];

/** Shown where no entry has the pair in force; never an entry, never recorded, never selectable. */
export const CUSTOM = 'custom';

export const DEFAULT_PRESETS: PresetTable = [
  {
    name: 'read-only',
    sandbox: 'read-only',
    approval: 'ask',
    label: 'Read only',
    description: 'Reads the machine, writes nothing. Asks before anything more.',
  },
  {
    name: 'workspace-write',
    sandbox: 'workspace-write',
    approval: 'ask',
    label: 'Workspace write',
    description: 'Writes in the workspace alone. Asks before anything more.',
  },
  {
    name: 'danger-full-access',
    sandbox: 'danger-full-access',
    approval: 'never',
    label: 'Full access',
    description: 'Everything you may do yourself, without a sandbox and without a question.',
  },
];

export interface UnknownPreset {
  readonly kind: 'unknown-preset';
  readonly message: string;
}

export interface PolicyChanges {
  readonly mode?: Mode;
  readonly policy?: ApprovalPolicy;
}

/** The presets of this process. The table is asked for each time: it is replaced as a whole when its file changes. */
export class Presets {
  readonly #table: () => PresetTable;
  readonly #fallback: PolicyPair;

  constructor(table: () => PresetTable, fallback: PolicyPair = DEPLOYMENT_DEFAULT) {
    this.#table = table;
    this.#fallback = fallback;
  }

  list(): PresetTable {
    return this.#table();
  }

  find(name: string): Preset | UnknownPreset {
    return findPreset(this.#table(), name);
  }

  current(state: PolicyState): string {
    return currentPreset(state, this.#table(), this.#fallback);
  }

  /** What `set` would change, without changing it. */
  preview(state: PolicyState, name: string): PolicyChanges | UnknownPreset {
    const preset = this.find(name);
    return isUnknown(preset) ? preset : changesTo(preset, effective(state, this.#fallback));
  }

  /**
   * Selects a preset in one section: the choice first, so that intent survives where two presets share a pair, then only
   * the knobs that change, Mode before Approval policy. `seq` is that of the choice; absent when nothing changed.
   */
  set(subject: PolicySubject, name: string, source?: Source): { readonly seq?: number } | UnknownPreset {
    const preset = this.find(name);
    if (isUnknown(preset)) return preset;
    const state = subject.policyState();
    // The current preset has the pair in force, so re-selecting it changes no knob either.
    if (this.current(state) === name) return {};
    const changes = changesTo(preset, effective(state, this.#fallback));
    return subject.journal.section(() => {
      const data = { preset: name, ...(source && { source }) };
      const { seq } = subject.journal.append({ type: 'permission/preset', data });
      if (changes.mode) setSandboxMode(subject, changes.mode, source ?? 'preset');
      if (changes.policy) setApprovalPolicy(subject, changes.policy, source ?? 'preset');
      return { seq };
    });
  }
}

export function isUnknown(found: object): found is UnknownPreset {
  return 'kind' in found && found.kind === 'unknown-preset';
}

export function findPreset(table: PresetTable, name: string): Preset | UnknownPreset {
  const preset = table.find((entry) => entry.name === name);
  if (preset) return preset;
  const known = table.map((entry) => entry.name).join(', ');
  const reason = name === CUSTOM ? `${CUSTOM} is shown, but cannot be selected` : `There is no preset "${name}"`;
  return { kind: 'unknown-preset', message: `${reason}. Known presets: ${known}.` };
}

/** The recorded choice while its pair is the one in force; else the first entry that has it; else `custom`. */
function currentPreset(state: PolicyState, table: PresetTable, fallback = DEPLOYMENT_DEFAULT): string {
  const pair = effective(state, fallback);
  const matching = table.filter((entry) => entry.sandbox === pair.mode && entry.approval === pair.policy);
  const chosen = matching.find((entry) => entry.name === state.preset?.value);
  return (chosen ?? matching[0])?.name ?? CUSTOM;
}

/** Where a stored choice is gone: the narrowest Mode, and within it the policy that asks. Never widens. */
export function narrowestPreset(table: PresetTable): Preset | undefined {
  const width = (preset: Preset) => MODES.indexOf(preset.sandbox) * 2 + (preset.approval === 'ask' ? 0 : 1);
  return table.toSorted((one, other) => width(one) - width(other))[0];
}

function changesTo(preset: Preset, now: PolicyPair): PolicyChanges {
  return {
    ...(preset.sandbox !== now.mode && { mode: preset.sandbox }),
    ...(preset.approval !== now.policy && { policy: preset.approval }),
  };
}
