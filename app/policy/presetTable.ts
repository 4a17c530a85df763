import { MODES, type Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy } from './events.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyState } from './fold.ts';

// The table without its setters: what a window may know of presets.

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

/** The recorded choice while its pair is the one in force; else the first entry that has it; else `custom`. */
export function presetOf(state: PolicyState, table: PresetTable, fallback = DEPLOYMENT_DEFAULT): string {
  const pair = effective(state, fallback);
  const matching = table.filter((entry) => entry.sandbox === pair.mode && entry.approval === pair.policy);
  const chosen = matching.find((entry) => entry.name === state.preset?.value);
  return (chosen ?? matching[0])?.name ?? CUSTOM;
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

/** Where a stored choice is gone: the narrowest Mode, and within it the policy that asks. Never widens. */
export function narrowestPreset(table: PresetTable): Preset | undefined {
  const width = (preset: Preset) => MODES.indexOf(preset.sandbox) * 2 + (preset.approval === 'ask' ? 0 : 1);
  return table.toSorted((one, other) => width(one) - width(other))[0];
}
