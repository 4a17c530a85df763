import type { CallId, SessionId } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { onPush, onWireState, request, touched } from '../api.ts';
import { hearApproval, loadApprovals } from './approvals.ts';
import { useConnection } from './connection.ts';
import { hearCleanup, hearEnvironment, hearNotice, hearOutput, loadMachine } from './machine.ts';
import { hearNote } from './notes.ts';
import { hearEvents, openSession, resync, useOpened } from './opened.ts';
import { go, placeOf, usePlace } from './place.ts';
import { loadPresets } from './policy.ts';
import { hearSessions, loadSessions } from './sessions.ts';
import { hearSettings, loadSettings, useSettings } from './settings.ts';

/** Wires the stores to the main process. Called once, before anything is drawn. */
export function connect(): void {
  onPush(collect);
  onWireState((wire) => {
    useConnection.setState({ wire });
    // Lost once more meanwhile: it is all asked for again when the way is back.
    if (wire.kind === 'ready') load(wire.anew).catch(reportError);
  });
  window.addEventListener('focus', touched);
}

/** Asks for everything that is shown. After a lost connection all of it is asked for again. */
async function load(anew: boolean): Promise<void> {
  const host = await request('host.describe', {});
  await Promise.all([loadSettings(), loadSessions(), loadApprovals(), loadMachine(), loadPresets()]);
  const { opened } = useOpened.getState();
  if (anew && opened.kind === 'open') await resync(opened.sessionId);
  else if (anew && opened.kind !== 'none') await openSession(opened.sessionId);
  if (!useConnection.getState().loaded) go(firstPlace());
  useConnection.setState({ host, loaded: true });
}

function firstPlace() {
  const place = placeOf(location.hash);
  if (place.kind !== 'home') return place;
  return useSettings.getState().window.welcomed ? usePlace.getState().place : ({ kind: 'welcome' } as const);
}

let waiting: Push[] = [];
const HIDDEN_MS = 100;

/** Pushes are taken over once a frame: however many come, the window draws once. */
function collect(push: Push): void {
  waiting.push(push);
  if (waiting.length > 1) return;
  // No frames are drawn in a hidden window, and yet it must not fall behind.
  if (document.visibilityState === 'hidden') setTimeout(flush, HIDDEN_MS);
  else requestAnimationFrame(flush);
}

function flush(): void {
  const pushes = waiting;
  waiting = [];
  const events = new Map<SessionId, SessionEvent[]>();
  const output = new Map<CallId, string>();
  for (const push of pushes) {
    if (push.push === 'event') gather(events, push.data.sessionId, push.data.event);
    else if (push.push === 'output')
      output.set(push.data.callId, (output.get(push.data.callId) ?? '') + push.data.text);
    else hear(push);
  }
  hearSessions(pushes.filter((push) => push.push === 'session').map(({ data }) => data));
  for (const [sessionId, list] of events) hearEvents(sessionId, list);
  hearOutput(output, Array.from(events.values()).flat().flatMap(endedCall));
}

function hear(push: Exclude<Push, { push: 'event' | 'output' }>): void {
  switch (push.push) {
    case 'approval':
      return hearApproval(push.data);
    case 'cleanup':
      return hearCleanup(push.data.cleanup);
    case 'environment':
      return hearEnvironment(push.data);
    case 'notice':
      return hearNotice(push.data);
    case 'settings':
      hearSettings(push.data);
      return void loadPresets();
    case 'note':
      return hearNote(push.data);
    case 'show':
      return show(push.data);
    case 'session':
      return undefined; // all of a frame together, see flush
  }
}

function show({ sessionId, workspace }: Extract<Push, { push: 'show' }>['data']): void {
  if (sessionId !== undefined) go({ kind: 'session', sessionId });
  else if (workspace !== undefined) go({ kind: 'new', workspace });
}

function gather(events: Map<SessionId, SessionEvent[]>, sessionId: SessionId, event: SessionEvent): void {
  const list = events.get(sessionId);
  if (list) list.push(event);
  else events.set(sessionId, [event]);
}

function endedCall(event: SessionEvent): readonly CallId[] {
  return event.type === 'tool/result' || event.type === 'tool/nested-result' ? [event.data.callId] : [];
}
