import type { Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy, Source } from './events.ts';
import { DEPLOYMENT_DEFAULT, effective, type PolicyPair, type PolicyState } from './fold.ts';
import { findPreset, isUnknown, presetOf, type Preset, type PresetTable, type UnknownPreset } from './presetTable.ts';
import { setApprovalPolicy, setSandboxMode } from './setters.ts';
import type { PolicySubject } from './subject.ts';

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
    return presetOf(state, this.#table(), this.#fallback);
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

function changesTo(preset: Preset, now: PolicyPair): PolicyChanges {
  return {
    ...(preset.sandbox !== now.mode && { mode: preset.sandbox }),
    ...(preset.approval !== now.policy && { policy: preset.approval }),
  };
}
