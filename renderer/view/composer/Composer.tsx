import type { SessionId } from '../../../app/base/id.ts';
import { setDraft, useDrafts } from '../../store/drafts.ts';
import { useOpened, type Opened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';
import { CleanupWaitLine } from './CleanupWaitLine.tsx';
import { MessageField } from './MessageField.tsx';
import { Queued } from './Queued.tsx';
import { sendDraft, useSending } from './sending.ts';
import { TurnLine } from './TurnLine.tsx';
import './composer.css';

/** What a person says to the Session. It takes text whatever the Session is doing, unless nothing can be written. */
export function Composer({ sessionId }: { readonly sessionId: SessionId }) {
  const dictionary = useText();
  const text = useDrafts((state) => state.texts[sessionId] ?? '');
  const failed = useSending(({ sending }) => {
    const mine = sending.get(sessionId);
    return mine?.kind === 'failed' ? mine.message : undefined;
  });
  const barred = useOpened(({ opened }) => barredBy(opened));
  const placeholder = useOpened(({ opened }) => invitation(opened));
  return (
    <section className="composer" data-region="composer" aria-label={dictionary.composer.message}>
      <div className="composer-in">
        <CleanupWaitLine />
        <Queued sessionId={sessionId} />
        {barred && <p className="muted">{dictionary.composer[barred]}</p>}
        {failed !== undefined && (
          <p className="composer-failed" role="alert">
            {dictionary.composer.notSent(failed)}
          </p>
        )}
        <MessageField
          text={text}
          placeholder={barred ? '' : dictionary.composer[placeholder]}
          disabled={barred !== undefined}
          onChange={(next) => setDraft(sessionId, next)}
          onSend={() => void sendDraft(sessionId)}
        >
          <TurnLine />
        </MessageField>
      </div>
    </section>
  );
}

/** Why nothing can be sent; undefined where it can. */
function barredBy(opened: Opened): 'readOnly' | 'failed' | undefined {
  if (opened.kind === 'failed') return 'failed';
  return opened.kind === 'open' && opened.readOnly ? 'readOnly' : undefined;
}

function invitation(opened: Opened): 'say' | 'sayQueued' | 'sayNext' {
  if (opened.kind !== 'open') return 'say';
  if (opened.folded.turn !== undefined) return 'sayQueued';
  return opened.folded.queued.length > 0 ? 'sayNext' : 'say';
}
