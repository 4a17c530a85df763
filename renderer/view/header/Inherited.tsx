import { useMemo } from 'react';
import { useOpened } from '../../store/opened.ts';
import { useSessions } from '../../store/sessions.ts';
import { reveal } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { inheritedFrom } from './turn.ts';

/** In a child: the event of the parent that its Mode is a copy of. */
export function Inherited() {
  const { common, shell } = useText();
  const events = useOpened(({ opened }) => (opened.kind === 'open' ? opened.events : undefined));
  const from = useMemo(() => events && inheritedFrom(events), [events]);
  const title = useSessions((state) => (from ? state.rows.get(from.sessionId)?.title : undefined));
  if (!from) return null;
  return (
    <button type="button" className="link clip" onClick={() => reveal(from.sessionId, from.seq)}>
      {shell.inheritedFrom(title || common.untitled, from.seq)}
    </button>
  );
}
