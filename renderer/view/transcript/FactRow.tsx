import { useMemo } from 'react';
import { go, reveal } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { partsOf } from '../../transcript/emphasis.ts';
import { factText } from '../../transcript/factText.ts';
import type { Fact } from '../../transcript/row.ts';
import { Visible } from '../approval/Visible.tsx';
import { useRowActions } from './RowContext.ts';
import { useNames } from './useNames.ts';

/** A thin row: something that was decided, started or ended. */
export function FactRow({ fact, active }: { readonly fact: Fact; readonly active: boolean }) {
  const dictionary = useText();
  const names = useNames();
  const { sessionId } = useRowActions();
  const { text, tone, tag, cause, child } = useMemo(() => factText(fact, dictionary, names), [fact, dictionary, names]);
  const tabIndex = active ? 0 : -1;
  return (
    <p className={`t-fact${tone ? ` ${tone}` : ''}`} data-fact={fact.kind}>
      {partsOf(text).map((part, index) => {
        // A part has no name but its place in the sentence.
        const shown = <Visible key={index} text={part.text} />;
        return part.strong ? <b key={index}>{shown}</b> : shown;
      })}
      {cause !== undefined && (
        <>
          {' '}
          <button type="button" className="link" tabIndex={tabIndex} onClick={() => reveal(sessionId, cause)}>
            {dictionary.common.event(cause)}
          </button>
        </>
      )}
      {child !== undefined && (
        <>
          {' '}
          <button
            type="button"
            className="link"
            tabIndex={tabIndex}
            onClick={() => go({ kind: 'session', sessionId: child })}
          >
            {dictionary.transcript.facts.goToChild}
          </button>
        </>
      )}
      {tag !== undefined && (
        <>
          {' '}
          <span className="tag wait">{tag}</span>
        </>
      )}
    </p>
  );
}
