import { useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { Cleanup } from '../../../app/cleanup/cleanup.ts';
import { retryCleanup } from '../../store/machine.ts';
import { go, reveal } from '../../store/place.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { duration } from '../../text/time.ts';
import { shortId } from '../../transcript/shortId.ts';
import { Visible } from '../approval/Visible.tsx';
import { useNow } from '../controls/useNow.ts';
import { useStartTimes } from '../controls/useStartTimes.ts';
import { Phases } from './Phases.tsx';

interface CleanupRowProps {
  readonly cleanup: Cleanup;
  /** Also says which Session it belongs to. */
  readonly named: boolean;
}

/** One ending: what, why, how far it is, and where it failed (ui.md, Cleanup). */
export function CleanupRow({ cleanup, named }: CleanupRowProps) {
  const { cleanup: words, common } = useText();
  const { cleanupId, what, pid, startTime, mode, phase, failed, attempts } = cleanup;
  const started = useStartTimes()(startTime);
  const facts = [
    !isNamedByKind(what) && words.what[what],
    pid !== undefined && words.pid(pid, started),
    words.startedUnder(common.modes[mode]),
  ].filter(Boolean);
  return (
    <li className="cleanup" data-cleanup={cleanupId} data-phase={failed ? 'failed' : phase}>
      <div className="cleanup-line">
        <Name cleanup={cleanup} />
        <PhaseTag cleanup={cleanup} />
      </div>
      {named && <InSession cleanup={cleanup} />}
      <p className="muted">{facts.join(' · ')}</p>
      <Phases phase={phase} failed={failed !== undefined} />
      <div className="cleanup-line muted">
        <Cause cleanup={cleanup} />
        <span className="cleanup-time">
          <Elapsed cleanup={cleanup} />
          {words.attempts(attempts)}
        </span>
      </div>
      {failed && <Failure cleanup={cleanup} error={failed.error} />}
    </li>
  );
}

/** A command by its text; what has no text of its own by its kind and id, as the transcript calls it. */
function Name({ cleanup: { what, id, title } }: { readonly cleanup: Cleanup }) {
  const { cleanup: words } = useText();
  if (what === 'environment') return <strong className="clip">{words.environment(shortId(id))}</strong>;
  if (what === 'program') return <strong className="clip">{words.program(shortId(id))}</strong>;
  return (
    <strong className="clip mono cleanup-title" title={title}>
      <Visible text={title} />
    </strong>
  );
}

/** The name says already what it is. */
function isNamedByKind(what: Cleanup['what']): boolean {
  return what === 'environment' || what === 'program';
}

function InSession({ cleanup: { sessionId } }: { readonly cleanup: Cleanup }) {
  const { common } = useText();
  const title = useSessions((state) => state.rows.get(sessionId)?.title);
  return (
    <p>
      <button type="button" className="link clip cleanup-session" onClick={() => go({ kind: 'session', sessionId })}>
        <Visible text={title || common.untitled} />
      </button>
    </p>
  );
}

function PhaseTag({ cleanup: { phase, failed } }: { readonly cleanup: Cleanup }) {
  const { cleanup: words } = useText();
  if (failed) return <span className="tag danger">{words.failedAt(words.phases[phase])}</span>;
  const done = phase === 'released' || phase === 'exited';
  return <span className={`tag ${done ? 'run' : 'wait'}`}>{words.phases[phase]}</span>;
}

/** Why: a link to the event, where an event was the cause. */
function Cause({ cleanup: { cause, sessionId } }: { readonly cleanup: Cleanup }) {
  const { cleanup: words } = useText();
  const { seq } = cause;
  if (seq === undefined) return <span>{words.causes[cause.kind]}</span>;
  return (
    <button type="button" className="link" onClick={() => reveal(sessionId, seq)}>
      {words.because(words.causes[cause.kind], seq)}
    </button>
  );
}

/** Only while it goes on: how long an ended one took is in the log. */
function Elapsed({ cleanup: { phase, since, failed } }: { readonly cleanup: Cleanup }) {
  const dictionary = useText();
  const now = useNow();
  if (phase === 'released' || failed) return null;
  return <>{duration(Math.max(0, now - since), dictionary)} · </>;
}

function Failure({ cleanup, error }: { readonly cleanup: Cleanup; readonly error: string }) {
  const { common } = useText();
  const [refused, setRefused] = useState<string>();
  const retry = (): void => {
    setRefused(undefined);
    retryCleanup(cleanup.cleanupId).catch((fault: unknown) => setRefused(messageOf(fault)));
  };
  return (
    <div className="cleanup-line cleanup-failure">
      <p role="status">
        <Visible text={refused ?? error} />
      </p>
      <button type="button" className="button" onClick={retry}>
        {common.retry}
      </button>
    </div>
  );
}
