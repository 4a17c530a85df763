import { create } from 'zustand';
import { go } from '../../store/place.ts';
import { headingIn } from './useDialogFocus.ts';

/** A person asked for the approvals, and the place that shows them is not drawn yet. */
const useWish = create<{ readonly wished: boolean }>(() => ({ wished: false }));

/** To the title of the question that is in full here; where there is none, to the place of all of them. */
export function focusApproval(): void {
  if (focusHeading()) return;
  useWish.setState({ wished: true });
  go({ kind: 'approvals' });
}

/** Called by the place of all approvals once it is drawn. `fallback` is focused when nothing is asked. */
export function grantWish(fallback: HTMLElement | null): void {
  if (!useWish.getState().wished) return;
  useWish.setState({ wished: false });
  if (!focusHeading()) fallback?.focus();
}

function focusHeading(): boolean {
  const heading = headingIn(document.querySelector('[data-region="approval"]'));
  heading?.focus();
  return heading !== null;
}
