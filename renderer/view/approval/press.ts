/** A press that has begun, and the state of the dialog it began in. */
export interface Begun {
  readonly by: 'pointer' | 'key';
  readonly key?: string;
  readonly token: string;
}

/** What a button hears, as far as it matters. */
export type Heard =
  | { readonly kind: 'pointer-down' }
  | { readonly kind: 'click' }
  | { readonly kind: 'key-down'; readonly key: string; readonly held: boolean; readonly composing: boolean }
  | { readonly kind: 'key-up'; readonly key: string }
  | { readonly kind: 'blur' };

export interface Armed {
  /** Stands for what is shown and for the window being looked at; undefined while the buttons are not armed. */
  readonly token: string | undefined;
  /** The keys that press this button. */
  readonly keys: readonly string[];
}

export interface Step {
  readonly begun?: Begun;
  readonly decides: boolean;
}

/**
 * One press, from its beginning to its end (ui.md, Approval dialog). It decides only when it begins on this very button
 * while that is armed, ends there, and nothing has changed between. Held keys, composition, and clicks that nobody began
 * decide nothing.
 */
export function press(begun: Begun | undefined, heard: Heard, { token, keys }: Armed): Step {
  switch (heard.kind) {
    case 'pointer-down':
      return token === undefined ? NOTHING : { begun: { by: 'pointer', token }, decides: false };
    case 'click':
      return { decides: begun?.by === 'pointer' && begun.token === token };
    case 'key-down': {
      const { key, held, composing } = heard;
      if (held && begun?.key === key) return { begun, decides: false };
      if (held || composing || token === undefined || !keys.includes(key)) return NOTHING;
      return { begun: { by: 'key', key, token }, decides: false };
    }
    case 'key-up':
      return { decides: begun?.by === 'key' && begun.key === heard.key && begun.token === token };
    case 'blur':
      // A pointer may be down on a button that never had the focus.
      return begun?.by === 'pointer' ? { begun, decides: false } : NOTHING;
  }
}

const NOTHING: Step = { decides: false };
