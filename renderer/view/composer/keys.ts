interface Pressed {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Before this code a browser tells that an input method has the key, where `isComposing` does not say so. */
const PROCESSED = 229;

/** Enter sends; with Shift or Alt it makes a line, and while an input method composes it belongs to that. */
export function sends({ key, keyCode, isComposing, shiftKey, altKey }: Pressed): boolean {
  return key === 'Enter' && !shiftKey && !altKey && !isComposing && keyCode !== PROCESSED;
}
