import { create } from 'zustand';
import type { ApprovalId } from '../../app/base/id.ts';
import type { ApprovalChange, PendingApproval } from '../../app/approval/approvals.ts';
import type { CancelReason, Decider, OutcomeName } from '../../app/approval/events.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { request } from '../api.ts';

export type Decision = 'allow-once' | 'deny';

/** How a question ended, as main told it. */
export interface Ending {
  readonly outcome: OutcomeName;
  readonly by: Decider;
  readonly reason?: CancelReason;
}

/** One question and where this window stands with it. */
export type Asked =
  | { readonly kind: 'open'; readonly approval: PendingApproval }
  /** A button was pressed and main has not said yet. */
  | ({ readonly kind: 'recording'; readonly approval: PendingApproval } & Answer)
  /** The reply did not come, or was an error: nothing is known. The buttons arm anew. */
  | ({ readonly kind: 'unconfirmed'; readonly approval: PendingApproval; readonly trouble?: Trouble } & Answer)
  /** Over; shown a while with the reason, then gone. */
  | {
      readonly kind: 'ended';
      readonly approval: PendingApproval;
      /** Absent when it ended while this window could not hear. */
      readonly ending?: Ending;
      /** The answer was given in this window. */
      readonly here: boolean;
    };

interface Answer {
  readonly decision: Decision;
  readonly note?: string;
  /** What was answered here before and never confirmed: it may have been recorded all the same. */
  readonly earlier: readonly Decision[];
}

/** `lost`: the way to main was lost meanwhile, so that not even the reply says what became of the answer. */
export type Trouble = { readonly kind: 'lost' } | { readonly kind: 'refused'; readonly message: string };

/** What is known of the work that asks. */
export interface Run {
  readonly agent?: string;
  readonly turn?: number;
}

export interface Approvals {
  /** In the order they were asked. */
  readonly asked: ReadonlyMap<ApprovalId, Asked>;
  /** Notes that are being written, by question: an open form that is empty is an empty text. */
  readonly notes: ReadonlyMap<ApprovalId, string>;
  /** Of questions of Sessions that are not the shown one. */
  readonly runs: ReadonlyMap<ApprovalId, Run>;
}

export const useApprovals = create<Approvals>(() => ({ asked: new Map(), notes: new Map(), runs: new Map() }));

/** How many wait for an answer, of all Sessions. */
export function useWaitingCount(): number {
  return useApprovals((state) => {
    let waiting = 0;
    for (const asked of state.asked.values()) if (asked.kind !== 'ended') waiting += 1;
    return waiting;
  });
}

const UNCONFIRMED_MS = 2_000;
const SHOWN_MS = 5_000;

/** What waits now. Questions that were open here and are not in the list ended while this window could not hear. */
export async function loadApprovals(): Promise<void> {
  const { approvals } = await request('approval.list', {});
  const before = useApprovals.getState().asked;
  const waiting = new Set(approvals.map(({ approvalId }) => approvalId));
  for (const [id, asked] of before) if (!waiting.has(id) && asked.kind !== 'ended') end({ approval: asked.approval });
  useApprovals.setState(({ asked }) => {
    const next = new Map(asked);
    for (const approval of approvals) next.set(approval.approvalId, next.get(approval.approvalId) ?? opened(approval));
    return { asked: next };
  });
}

export function hearApproval(change: ApprovalChange): void {
  const { approval } = change;
  if (change.change === 'decided') return end({ approval, ending: change });
  if (!useApprovals.getState().asked.has(approval.approvalId)) put(opened(approval));
}

/** The one way a person's answer leaves this window. It is over when main says so, not when the button was pressed. */
export async function decide(approvalId: ApprovalId, decision: Decision, note?: string): Promise<void> {
  const asked = useApprovals.getState().asked.get(approvalId);
  if (!asked || asked.kind === 'ended' || asked.kind === 'recording') return;
  const { approval } = asked;
  const earlier = asked.kind === 'unconfirmed' ? [...asked.earlier, asked.decision] : [];
  const answer = { approval, decision, earlier, ...(note !== undefined && { note }) };
  const recording = { kind: 'recording', ...answer } as const;
  put(recording);
  const unconfirmed = (trouble?: Trouble): void => {
    // A later answer is recorded by now: what became of this one says nothing of it.
    if (useApprovals.getState().asked.get(approvalId) !== recording) return;
    put({ kind: 'unconfirmed', ...answer, ...(trouble && { trouble }) });
  };
  const timer = setTimeout(unconfirmed, UNCONFIRMED_MS);
  try {
    const said = { ...(note !== undefined && { note }) };
    const { settled, by, outcome } = await request('approval.decide', { approvalId, decision, ...said });
    end({ approval, ending: { by, outcome }, here: settled || isOneOf(earlier, { by, outcome }) });
  } catch (fault) {
    unconfirmed(troubleOf(fault));
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined closes the form and forgets what was written. */
export function writeNote(id: ApprovalId, note: string | undefined): void {
  useApprovals.setState(({ notes }) => ({
    notes: note === undefined ? without(notes, id) : new Map(notes).set(id, note),
  }));
}

/** Who asks in a Session that this window does not show. Its question is open, so main has it open as well. */
export async function loadRun({ approvalId, sessionId }: PendingApproval): Promise<void> {
  const { header, view } = await request('session.open', { sessionId, after: Number.MAX_SAFE_INTEGER - 1 });
  const { agent } = header;
  const { turn } = view;
  const run = { ...(agent !== undefined && { agent }), ...(turn !== undefined && { turn }) };
  useApprovals.setState(({ runs }) => ({ runs: new Map(runs).set(approvalId, run) }));
}

interface End {
  readonly approval: PendingApproval;
  readonly ending?: Ending;
  readonly here?: boolean;
}

/** Told twice, by the push and by the reply, in either order. Only the reply knows whose answer it was. */
function end({ approval, ending, here }: End): void {
  const { approvalId } = approval;
  const before = useApprovals.getState().asked.get(approvalId);
  if (before === undefined) return;
  const known = before.kind === 'ended' ? before.ending : undefined;
  const told = known ?? ending;
  const mine = here ?? (before.kind === 'ended' ? before.here : isAnswerOf(before, ending));
  put({ kind: 'ended', approval, here: mine, ...(told && { ending: told }) });
  if (before.kind !== 'ended') setTimeout(() => remove(approvalId), SHOWN_MS);
}

/** Until the reply says otherwise: the same answer as one that was given here. */
function isAnswerOf(asked: Exclude<Asked, { kind: 'ended' }>, ending: Ending | undefined): boolean {
  return asked.kind !== 'open' && isOneOf([...asked.earlier, asked.decision], ending);
}

function isOneOf(decisions: readonly Decision[], ending: Ending | undefined): boolean {
  if (ending?.by !== 'person') return false;
  return decisions.includes(ending.outcome === 'rejected' ? 'deny' : 'allow-once');
}

function troubleOf(fault: unknown): Trouble {
  if (fault instanceof RequestError && fault.code === 'closing') return { kind: 'lost' };
  return { kind: 'refused', message: fault instanceof Error ? fault.message : String(fault) };
}

function opened(approval: PendingApproval): Asked {
  return { kind: 'open', approval };
}

function put(asked: Asked): void {
  useApprovals.setState(({ asked: all }) => ({ asked: new Map(all).set(asked.approval.approvalId, asked) }));
}

function remove(id: ApprovalId): void {
  useApprovals.setState(({ asked, notes, runs }) => ({
    asked: without(asked, id),
    notes: without(notes, id),
    runs: without(runs, id),
  }));
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const next = new Map(map);
  next.delete(key);
  return next;
}
