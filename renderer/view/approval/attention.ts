import { create } from 'zustand';

/** Whether a person can be looking at this window. `turn` counts how often they came back to it. */
export interface Attention {
  readonly here: boolean;
  readonly turn: number;
}

/** One for the window. The focus event comes before the press that caused it, so that press finds nothing armed. */
export const useAttention = create<Attention>(() => ({ here: isHere(), turn: 0 }));

window.addEventListener('focus', () => come(document.visibilityState === 'visible'));
window.addEventListener('blur', () => useAttention.setState({ here: false }));
document.addEventListener('visibilitychange', () => come(isHere()));

function come(here: boolean): void {
  useAttention.setState(({ turn }) => ({ here, turn: turn + 1 }));
}

function isHere(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
