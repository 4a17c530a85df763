import { TEXT_LIMIT, utf8Bytes } from '../base/text.ts';
import { isWider, type Mode } from '../sandbox/mode.ts';

/** What a call asks for beside its input: the argument `escalate` (policy.md, One-time escalation). */
export interface Escalation {
  readonly to: Mode;
  readonly justification: string;
}

/** What becomes of an escalation before anything runs. `content` is what the model is told, `note` what is noted. */
export type EscalationVerdict =
  | { readonly kind: 'standing'; readonly note: string }
  | { readonly kind: 'refused'; readonly code: 'not-wider' | 'invalid-input'; readonly content: string }
  | {
      readonly kind: 'ask';
      readonly scope: { readonly kind: 'once'; readonly from: Mode; readonly to: Mode };
      /** Our sentence for the person; the justification is the agent's. */
      readonly rule: string;
      readonly justification: string;
    };

/**
 * Judges in the order of policy.md: equal, narrower, blank, ask. `standing` is the Mode in force in this very Session,
 * never a default. Under policy `never` it is asked all the same: the question is rejected at once and is in the log.
 */
export function judgeEscalation({ standing, escalate }: { standing: Mode; escalate: Escalation }): EscalationVerdict {
  const { to, justification } = escalate;
  if (to === standing) return { kind: 'standing', note: `Asked for ${to}, which is the mode in force: no question.` };
  if (!isWider(to, standing)) {
    const content = `Not wider: ${to} allows no more than ${standing}, the mode in force. Nothing ran. Call again without escalate.`;
    return { kind: 'refused', code: 'not-wider', content };
  }
  if (justification.trim() === '') {
    const content = 'escalate.justification is blank: say why this call needs it. Nobody was asked and nothing ran.';
    return { kind: 'refused', code: 'invalid-input', content };
  }
  if (utf8Bytes(justification) > TEXT_LIMIT) {
    const content = `escalate.justification is longer than ${TEXT_LIMIT} bytes. Nobody was asked and nothing ran.`;
    return { kind: 'refused', code: 'invalid-input', content };
  }
  const rule = `The mode is ${standing}; this one call asks to run under ${to}.`;
  return { kind: 'ask', scope: { kind: 'once', from: standing, to }, rule, justification };
}
