import { create } from 'zustand';
import type { SessionId } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import type { Input } from '../../app/contract/requests.ts';
import type { SessionRow } from '../../app/session/view.ts';
import { request } from '../api.ts';

/** Every Session this machine has, as main last told. */
export interface Sessions {
  readonly rows: ReadonlyMap<SessionId, SessionRow>;
}

export const useSessions = create<Sessions>(() => ({ rows: new Map() }));

export async function loadSessions(): Promise<void> {
  const { sessions } = await request('session.list', {});
  useSessions.setState({ rows: new Map(sessions.map((row) => [row.sessionId, row])) });
}

/** In the order they came; one change of the store for all of them. */
export function hearSessions(pushes: readonly Extract<Push, { push: 'session' }>['data'][]): void {
  if (pushes.length === 0) return;
  useSessions.setState(({ rows }) => {
    const next = new Map(rows);
    for (const data of pushes) {
      if ('removed' in data) next.delete(data.sessionId);
      else next.set(data.row.sessionId, data.row);
    }
    return { rows: next };
  });
}

export async function createSession(input: Input<'session.create'>): Promise<SessionId> {
  return (await request('session.create', input)).sessionId;
}

export async function startDemo(): Promise<SessionId> {
  return (await request('demo.start', {})).sessionId;
}
