import { useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { duration } from '../../text/time.ts';
import { useNow } from '../controls/useNow.ts';
import { agentName } from '../header/names.ts';
import { isStopping, turnBegan } from '../header/turn.ts';
import { useView } from '../header/useView.ts';

/** Beside the field: who works, how it stands, and for how long the turn has been open. */
export function TurnLine() {
  const dictionary = useText();
  const { common, composer } = dictionary;
  const agent = useOpened(({ opened }) => (opened.kind === 'open' ? agentName(opened.header.agent, dictionary) : ''));
  const state = useView((view) => view.state);
  const stopping = useOpened(
    ({ opened }) =>
      opened.kind === 'open' && opened.folded.turn !== undefined && isStopping(opened.events, opened.folded.turn),
  );
  const began = useOpened(({ opened }) =>
    opened.kind === 'open' && opened.folded.turn !== undefined
      ? turnBegan(opened.events, opened.folded.turn)
      : undefined,
  );
  if (state === undefined) return null;
  return (
    <span className="turn-line">
      {agent} · {stopping ? composer.stoppingTurn : common.states[state]}
      {began !== undefined && (
        <>
          {' · '}
          <Elapsed since={began} />
        </>
      )}
    </span>
  );
}

/** Counts whole seconds: a tenth says nothing of a turn. */
export function Elapsed({ since }: { readonly since: number }) {
  const dictionary = useText();
  const now = useNow();
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  if (seconds < 60) return <>{dictionary.common.duration.seconds(String(seconds))}</>;
  return <>{duration(seconds * 1_000, dictionary)}</>;
}
