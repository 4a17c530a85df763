import { CUSTOM, DEFAULT_PRESETS } from '../../../app/policy/presetTable.ts';
import type { PolicyPair } from '../../../app/policy/fold.ts';
import type { Mode } from '../../../app/sandbox/mode.ts';
import type { PresetRow, Preview } from '../../store/policy.ts';
import type { Dictionary } from '../../text/text.ts';

/** Narrow to wide; two of the same width stay as they were declared. */
export function narrowToWide(presets: readonly PresetRow[]): readonly PresetRow[] {
  return presets.toSorted((one, other) => widthOf(one) - widthOf(other));
}

/** By its Mode, whatever it is called. */
export function isDanger({ sandbox }: Pick<PresetRow, 'sandbox'>): boolean {
  return sandbox === 'danger-full-access';
}

/** Whether a person is asked first: on the way to full access, never on the way to less. */
export function asksFirst(preset: PresetRow, now: PolicyPair | undefined): boolean {
  if (!isDanger(preset)) return false;
  return now === undefined || widthOf(preset) > widthOf({ sandbox: now.mode, approval: now.policy });
}

export interface PresetWords {
  readonly label: string;
  readonly description: string;
}

/** In the person's language for the built-in ones, while nobody has given them other words. */
export function wordsOf({ name, label, description }: PresetRow, { policy }: Dictionary): PresetWords {
  const ours = DEFAULT_PRESETS.find((preset) => preset.name === name);
  const translated = Object.entries(policy.presets).find(([known]) => known === name)?.[1];
  const isOurs = ours?.label === label && ours.description === description;
  return isOurs && translated ? translated : { label: label || name, description };
}

/** What the selector shows for a name: that of an entry, of `custom`, or of one that is in the table no more. */
export function labelOf(name: string, presets: readonly PresetRow[], dictionary: Dictionary): string {
  const preset = presets.find((row) => row.name === name);
  if (preset) return wordsOf(preset, dictionary).label;
  return name === CUSTOM ? dictionary.policy.custom : name;
}

/** One sentence for each knob that moves. */
export function changesOf(
  changes: Preview['changes'],
  now: PolicyPair | undefined,
  dictionary: Dictionary,
): readonly string[] {
  const { common, policy } = dictionary;
  const sentences = [
    changes.mode && policy.changes.mode(now && common.modes[now.mode], common.modes[changes.mode]),
    changes.policy && policy.changes.policy(now && common.policies[now.policy], common.policies[changes.policy]),
  ].filter((sentence) => sentence !== undefined);
  return sentences.length > 0 ? sentences : [policy.changes.nothing];
}

/** The Mode that all of them were started under; undefined where they differ. */
export function modeOfAll(stopping: Preview['stopping']): Mode | undefined {
  const [first, ...rest] = stopping;
  return first && rest.every(({ mode }) => mode === first.mode) ? first.mode : undefined;
}

const MODE_WIDTH: Readonly<Record<Mode, number>> = { 'read-only': 0, 'workspace-write': 2, 'danger-full-access': 4 };

function widthOf({ sandbox, approval }: Pick<PresetRow, 'sandbox' | 'approval'>): number {
  return MODE_WIDTH[sandbox] + (approval === 'ask' ? 0 : 1);
}
