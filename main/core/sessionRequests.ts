import type { SessionId } from '../../app/base/id.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Input, Output } from '../../app/contract/requests.ts';
import { WINDOW, type SessionStore } from '../../app/session/store.ts';
import { Verifier } from '../../app/session/verify.ts';
import { sha256 } from '../base/sha256.ts';
import type { Core } from '../coreShape.ts';
import { acceptSession, type CreationParts } from './creation.ts';
import { NEVER, viewOf, type Lookup } from './lookup.ts';
import type { Sessions } from './sessions.ts';

export interface SessionRequestParts extends CreationParts {
  readonly sessions: Sessions;
  readonly lookup: Lookup;
  readonly store: SessionStore;
}

const MAX_EVENTS = 1_000;

/** The requests `session.*` (contract.md). */
export function sessionRequests(parts: SessionRequestParts): Core['sessions'] {
  const { lookup, sessions, store } = parts;
  return {
    create: async (input) => ({ sessionId: (await sessions.create(await acceptSession(parts, input))).session.id }),
    list: async (input) => ({ sessions: await list(sessions, input) }),
    open: (input) => open(parts, input),
    events: async ({ sessionId, from, to }) => {
      if (!lookup.live(sessionId)) await lookup.stored(sessionId);
      return { events: await store.read(sessionId, from, Math.min(to, from + MAX_EVENTS), NEVER) };
    },
    prompt: async ({ sessionId, text }) => {
      const { turns } = await lookup.writable(sessionId);
      return { seq: await turns.prompt(text, 'person') };
    },
    stop: async ({ sessionId }) => {
      await (await lookup.writable(sessionId)).turns.stop('person');
      return {};
    },
    idle: async ({ sessionId }) => {
      const { turns, session } = await lookup.writable(sessionId);
      const reason = await turns.idle();
      // The answer speaks of the turn's end.
      await session.flush();
      return { reason };
    },
    verify: ({ sessionId }) => verify(parts, sessionId),
  };
}

async function list(sessions: Sessions, { query, state, workspace, archived, cursor }: Input<'session.list'>) {
  if (cursor !== undefined) throw new RequestError('conflict', 'This cursor is stale: list again from the start.');
  if (archived) return [];
  const wanted = query?.toLowerCase();
  const rows = await sessions.rows();
  return rows.filter(
    (row) =>
      (wanted === undefined || row.title.toLowerCase().includes(wanted)) &&
      (state === undefined || row.state === state) &&
      (workspace === undefined || row.workspace === workspace),
  );
}

async function open(
  { lookup, store }: SessionRequestParts,
  { sessionId, after }: Input<'session.open'>,
): Promise<Output<'session.open'>> {
  const opened = await lookup.opened(sessionId);
  // What a door is shown is on disk; what comes after it is pushed.
  if (opened.kind === 'live') await opened.live.session.flush();
  const { header } = opened.kind === 'live' ? opened.live.session : opened.stored;
  const view = viewOf(opened);
  const length = view.seq + 1;
  const from = after === undefined ? Math.max(0, length - WINDOW) : after + 1;
  const to = Math.min(length, from + (after === undefined ? WINDOW : MAX_EVENTS));
  const events = await store.read(sessionId, from, to, NEVER);
  return { header, view, events, more: after === undefined ? from > 0 : to < length };
}

async function verify({ lookup, store }: SessionRequestParts, id: SessionId): Promise<Output<'session.verify'>> {
  const live = lookup.live(id);
  if (live) await live.session.flush();
  const { header } = live ? live.session : await lookup.stored(id);
  // Without a header there is no meaning to check beyond what stands in the events.
  return await store.verify(id, new Verifier(header && { header, digest: sha256 }), NEVER);
}
