import { openSession, useOpened } from '../store/opened.ts';
import { useText } from '../text/text.ts';

/** The Session could not be opened. Nothing of it was changed. */
export function SessionProblem({ message }: { readonly message: string }) {
  const { common } = useText();
  const sessionId = useOpened(({ opened }) => (opened.kind === 'none' ? undefined : opened.sessionId));
  return (
    <div className="empty" role="alert">
      <p>{message}</p>
      {sessionId !== undefined && (
        <button type="button" className="button" onClick={() => void openSession(sessionId)}>
          {common.retry}
        </button>
      )}
    </div>
  );
}
