import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { CUSTOM } from '../../../app/policy/presetTable.ts';
import type { SessionRow } from '../../../app/session/view.ts';
import type { PresetRow } from '../../store/policy.ts';
import type { Dictionary } from '../../text/text.ts';
import { isDanger, labelOf } from '../policy/presets.ts';

export interface SublineParts {
  readonly row: SessionRow;
  /** The question of this Session that has waited longest. */
  readonly first: PendingApproval | undefined;
  /** How many of its questions wait. */
  readonly questions: number;
  readonly presets: readonly PresetRow[];
}

export interface Subline {
  /** Begins with the state in words. */
  readonly text: string;
  /** The preset, where it must be seen from here: full access, and what a child has. */
  readonly preset?: { readonly label: string; readonly danger: boolean };
}

/** What a Session is doing, in half a line. */
export function sublineOf({ row, first, questions, presets }: SublineParts, dictionary: Dictionary): Subline {
  const preset = presets.find(({ name }) => name === row.preset);
  const danger = preset !== undefined && isDanger(preset);
  const text = row.damaged ? dictionary.shell.damaged : stateText(row, { first, questions }, dictionary);
  const isTold = danger || row.parent !== undefined || row.preset === CUSTOM;
  return { text, ...(isTold && { preset: { label: labelOf(row.preset, presets, dictionary), danger } }) };
}

function stateText(
  { state }: SessionRow,
  { first, questions }: Pick<SublineParts, 'first' | 'questions'>,
  { common, shell }: Dictionary,
): string {
  const word = common.states[state];
  if (state !== 'waiting' || !first) return word;
  if (questions > 1) return shell.because(word, shell.questions(questions));
  const mode = first.scope.to && common.modes[first.scope.to];
  return shell.because(word, shell.waitsFor(shell.waits[first.subject.kind], mode));
}
