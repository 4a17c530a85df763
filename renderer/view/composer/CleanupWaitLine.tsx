import { useMemo } from 'react';
import { shortId } from '../../transcript/shortId.ts';
import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { Elapsed } from './TurnLine.tsx';
import { waitsForCleanup } from './waitsForCleanup.ts';

/** A call waits until something older is confirmed gone: says what, and for how long. */
export function CleanupWaitLine() {
  const { cleanup: words, composer } = useText();
  const events = useOpened(({ opened }) => (opened.kind === 'open' ? opened.events : undefined));
  const cleanups = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.cleanups : undefined));
  const wait = useMemo(() => events && cleanups && waitsForCleanup(events, cleanups), [events, cleanups]);
  return (
    <div role="status">
      {wait && (
        <p className="cleanup-wait">
          {composer.waitsForCleanup(composer.thing(words.what[wait.cleanup.what], shortId(wait.cleanup.id)))}{' '}
          <span aria-hidden="true">
            (<Elapsed since={wait.since} />)
          </span>
        </p>
      )}
    </div>
  );
}
