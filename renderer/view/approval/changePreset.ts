import type { SessionId } from '../../../app/base/id.ts';
import { go, usePlace } from '../../store/place.ts';

const SELECTOR = 'preset-select';
const PATIENCE_MS = 2_000;

/** To the preset selector of the Session that asks, which may have to be drawn first. */
export function changePreset(sessionId: SessionId): void {
  const { place } = usePlace.getState();
  if (place.kind !== 'session' || place.sessionId !== sessionId) go({ kind: 'session', sessionId });
  if (focusSelector()) return;
  const watch = new MutationObserver(() => {
    if (focusSelector()) watch.disconnect();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), PATIENCE_MS);
}

function focusSelector(): boolean {
  const selector = document.getElementById(SELECTOR);
  selector?.focus();
  return selector !== null;
}
