import { Lock } from 'lucide-react';
import type { SessionId } from '../../../app/base/id.ts';
import { openSession, useOpened } from '../../store/opened.ts';
import { useText } from '../../text/text.ts';

/** Why nothing can be written to this Session, and what a person can do about it. */
export function ReadOnlyBar({ sessionId }: { readonly sessionId: SessionId }) {
  const { shell } = useText();
  const readOnly = useOpened(({ opened }) => (opened.kind === 'open' ? opened.readOnly : undefined));
  if (!readOnly) return null;
  return (
    <p className="bar" role="status" data-read-only={readOnly.reason}>
      <Lock size={14} aria-hidden="true" />
      <span>{shell.readOnly[readOnly.reason](readOnly)}</span>
      <span className="spread" />
      {readOnly.reason === 'open-elsewhere' && (
        <button type="button" className="button" onClick={() => void openSession(sessionId)}>
          {shell.tryAgain}
        </button>
      )}
    </p>
  );
}
