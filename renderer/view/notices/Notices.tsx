import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import type { SessionId } from '../../../app/base/id.ts';
import type { Notice } from '../../../app/contract/pushes.ts';
import { dismissNotice, useMachine } from '../../store/machine.ts';
import { go } from '../../store/place.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import './notices.css';

/** What a person should know that is no event of one call. An error stays for as long as it holds. */
export function Notices() {
  const notices = useMachine((state) => state.notices);
  const { approval: words } = useText();
  return (
    <div role="status">
      {notices.size > 0 && (
        <ul className="notices" aria-label={words.notices}>
          {Array.from(notices.values(), (notice) => (
            <NoticeRow key={notice.noticeId} notice={notice} />
          ))}
        </ul>
      )}
    </div>
  );
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const;

function NoticeRow({ notice: { noticeId, level, code, message, sessionId, detail } }: { readonly notice: Notice }) {
  const { approval: words } = useText();
  const Icon = ICONS[level];
  return (
    <li className={`notice ${level}`}>
      <span className="notice-level">
        <Icon size={14} aria-hidden /> {words.levels[level]}
      </span>
      <span className="notice-message">
        <Visible text={message} />
        {detail !== undefined && (
          <details>
            <summary>{words.noticeDetail}</summary>
            <Visible text={detail} />
          </details>
        )}
      </span>
      {sessionId !== undefined && code === 'project-hooks-off' && <ToSetting sessionId={sessionId} />}
      {sessionId !== undefined && (
        <button type="button" className="link" onClick={() => go({ kind: 'session', sessionId })}>
          {words.goToSession}
        </button>
      )}
      {level !== 'error' && (
        <button type="button" className="button plain icon" onClick={() => dismissNotice(noticeId)}>
          <X size={14} aria-hidden /> {words.dismiss}
        </button>
      )}
    </li>
  );
}

/** To what a person would have to change. */
function ToSetting({ sessionId }: { readonly sessionId: SessionId }) {
  const { transcript } = useText();
  const workspace = useSessions((state) => state.rows.get(sessionId)?.workspace);
  if (workspace === undefined) return null;
  return (
    <button type="button" className="link" onClick={() => go({ kind: 'settings', workspace })}>
      {transcript.sections.workspaceSetting}
    </button>
  );
}
