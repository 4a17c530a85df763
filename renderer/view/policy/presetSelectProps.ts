import type { SessionId } from '../../../app/base/id.ts';
import type { PolicyPair } from '../../../app/policy/fold.ts';

/** What a selector of presets is given, wherever it stands. */
export interface PresetSelectProps {
  readonly id: string;
  /** The preset in force, or chosen in a form; `custom` is shown and cannot be chosen. */
  readonly value: string;
  /** The pair in force. Absent in a form: whatever is chosen there is no narrower than nothing. */
  readonly now?: PolicyPair | undefined;
  /** With it a person sees what a choice would change and stop. */
  readonly sessionId?: SessionId | undefined;
  readonly disabled?: boolean;
  /** What the choice applies to, where it is no Session that exists; the new one when nothing is said. */
  readonly scope?: 'new' | 'default';
  /** Never called with the value that is there already, nor with full access that a person has not confirmed. */
  readonly onChoose: (name: string) => void;
}
