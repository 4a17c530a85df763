import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { SessionRow } from '../../../app/session/view.ts';
import { useConnection } from '../../store/connection.ts';
import { go } from '../../store/place.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { ago } from '../../text/time.ts';
import { Visible } from '../approval/Visible.tsx';
import { useNow } from '../controls/useNow.ts';
import { shortPath } from '../header/names.ts';
import { StateMark } from '../sidebar/StateMark.tsx';
import { DemoButton } from './DemoButton.tsx';
import './forms.css';

const MOST = 8;

/** Where a person is who has chosen no Session: the last ones, and how to begin another. */
export function HomePlace() {
  const { forms } = useText();
  const rows = useSessions((state) => state.rows);
  const latest = useMemo(
    () =>
      Array.from(rows.values())
        .filter(({ parent }) => parent === undefined)
        .toSorted((a, b) => b.updated - a.updated)
        .slice(0, MOST),
    [rows],
  );
  return (
    <div className="page home">
      <h1>{forms.home}</h1>
      {latest.length === 0 ? <Empty /> : <Latest rows={latest} />}
      <div className="form-buttons">
        <button type="button" className="button primary" onClick={() => go({ kind: 'new' })}>
          <Plus size={14} aria-hidden="true" /> {forms.newSession}
        </button>
        <DemoButton label={forms.startDemo} className="button" />
      </div>
      <p className="muted">{forms.demoMeans}</p>
    </div>
  );
}

function Empty() {
  const { forms } = useText();
  return (
    <div className="home-empty">
      <p>{forms.homeEmpty}</p>
      <p className="muted">{forms.homeEmptyMeans}</p>
    </div>
  );
}

function Latest({ rows }: { readonly rows: readonly SessionRow[] }) {
  const { forms } = useText();
  return (
    <ul className="home-rows" aria-label={forms.latest}>
      {rows.map((row) => (
        <li key={row.sessionId}>
          <Row row={row} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row: { sessionId, title, workspace, state, damaged, updated } }: { readonly row: SessionRow }) {
  const dictionary = useText();
  const { common, shell } = dictionary;
  const now = useNow();
  const home = useConnection((store) => store.host?.userHome);
  return (
    <button type="button" className="home-row" onClick={() => go({ kind: 'session', sessionId })}>
      <StateMark state={state} damaged={damaged === true} />
      <strong className="clip">
        <Visible text={title || common.untitled} />
      </strong>
      <span className="muted">{damaged ? shell.damaged : common.states[state]}</span>
      <span className="spread" />
      <span className="muted mono clip">
        <Visible text={shortPath(workspace, home)} />
      </span>
      <span className="muted home-when">{ago(updated, now, dictionary)}</span>
    </button>
  );
}
