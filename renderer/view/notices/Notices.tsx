import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import type { Notice } from '../../../app/contract/pushes.ts';
import { dismissNotice, useMachine } from '../../store/machine.ts';
import { go } from '../../store/place.ts';
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

function NoticeRow({ notice: { noticeId, level, message, sessionId } }: { readonly notice: Notice }) {
  const { approval: words } = useText();
  const Icon = ICONS[level];
  return (
    <li className={`notice ${level}`}>
      <span className="notice-level">
        <Icon size={14} aria-hidden /> {words.levels[level]}
      </span>
      <span className="notice-message">
        <Visible text={message} />
      </span>
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
