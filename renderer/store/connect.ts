import type { SessionId } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { onPush, onWireState, request, touched } from '../api.ts';
import { hearApproval, loadApprovals } from './approvals.ts';
import { useConnection } from './connection.ts';
import { Inbox, sorted } from './inbox.ts';
import {
  dismissNotice,
  forgetOutput,
  hearCleanup,
  hearEnvironment,
  hearJob,
  hearNotice,
  hearOutput,
  loadMachine,
} from './machine.ts';
import { hearNote } from './notes.ts';
import { hearEvents, openSession, resync, useOpened } from './opened.ts';
import { go, placeOf, usePlace } from './place.ts';
import { loadPresets } from './policy.ts';
import { hearSessions, loadSessions } from './sessions.ts';
import { hearSettings, loadSettings, useSettings } from './settings.ts';

/** Wires the stores to the main process. Called once, before anything is drawn. */
export function connect(): void {
  onPush((push) => inbox.add(push));
  onWireState((wire) => {
    useConnection.setState({ wire });
    // Lost once more meanwhile: it is all asked for again when the way is back.
    if (wire.kind === 'ready') load(wire.anew).catch(reportError);
  });
  useOpened.subscribe(({ opened }, before) => {
    if (shownSession(opened) !== shownSession(before.opened)) forgetOutput();
  });
  window.addEventListener('focus', touched);
}

/** Asks for everything that is shown. After a lost connection all of it is asked for again. */
async function load(anew: boolean): Promise<void> {
  const { loaded } = useConnection.getState();
  await loadLists();
  // What is shown first was asked for just now.
  if (!anew || !loaded) return;
  const { opened } = useOpened.getState();
  if (opened.kind === 'open') await resync(opened.sessionId);
  else if (opened.kind !== 'none') await openSession(opened.sessionId);
}

/** What is pushed meanwhile is taken over behind it, a wish to show something among it. */
async function loadLists(): Promise<void> {
  const release = inbox.hold();
  try {
    const host = await request('host.describe', {});
    await Promise.all([loadSettings(), loadSessions(), loadApprovals(), loadMachine(), loadPresets()]);
    // Repaired while this window could not hear it.
    if (useSettings.getState().problem === undefined) dismissNotice('settings');
    if (!useConnection.getState().loaded) go(firstPlace());
    useConnection.setState({ host, loaded: true });
  } finally {
    release();
  }
}

function firstPlace() {
  const place = placeOf(location.hash);
  if (place.kind !== 'home') return place;
  return useSettings.getState().window.welcomed ? usePlace.getState().place : ({ kind: 'welcome' } as const);
}

/** What streams in is drawn so often and no more: no eye follows faster, and what a person types comes first. */
const PACE_MS = 50;
const HIDDEN_MS = 100;

/** Pushes are taken over once a frame: however many come, the window draws once. */
const inbox = new Inbox(soon, take);
let takenAt = -PACE_MS;

/** With the next frame. None are drawn in a window that is hidden, or gets hidden before; yet it must not fall behind. */
function soon(job: () => void): void {
  let frame = 0;
  const run = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    takenAt = performance.now();
    job();
  };
  const draw = (): void => {
    frame = requestAnimationFrame(run);
  };
  const rest = takenAt + PACE_MS - performance.now();
  const timer = setTimeout(run, Math.max(0, rest) + HIDDEN_MS);
  if (rest > 0) setTimeout(draw, rest);
  else draw();
}

function take(pushes: readonly Push[]): void {
  for (const push of pushes) if (push.push !== 'event' && push.push !== 'output') hear(push);
  hearSessions(pushes.filter((push) => push.push === 'session').map(({ data }) => data));
  // By now, which one of them may have changed.
  const { events, output, ended } = sorted(pushes, shownSession());
  for (const [sessionId, list] of events) hearEvents(sessionId, list);
  hearOutput(output, ended);
}

function shownSession(opened = useOpened.getState().opened): SessionId | undefined {
  return opened.kind === 'none' ? undefined : opened.sessionId;
}

function hear(push: Exclude<Push, { push: 'event' | 'output' }>): void {
  switch (push.push) {
    case 'approval':
      return hearApproval(push.data);
    case 'cleanup':
      return hearCleanup(push.data.cleanup);
    case 'environment':
      return hearEnvironment(push.data);
    case 'job':
      return hearJob(push.data.job);
    case 'notice':
      // Some pushes were dropped on the way: which ones is not known. Events are complete.
      if (push.data.code === 'pushes-lost') loadLists().catch(reportError);
      return hearNotice(push.data);
    case 'settings':
      hearSettings(push.data);
      return void loadPresets().catch(reportError);
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
