import type { Session } from '../../app/session/session.ts';
import type { SessionStore } from '../../app/session/store.ts';

/** The text of a message in the log; of one that is kept beside it because it is long, the end. */
export async function messageText(
  { session, store, seq }: { readonly session: Session; readonly store: SessionStore; readonly seq: number },
  signal: AbortSignal,
): Promise<string> {
  await session.flush();
  const [event] = await store.read(session.id, seq, seq + 1, signal);
  if (event?.type !== 'user/message') throw new Error(`Event ${seq} is no message`);
  const { text } = event.data;
  return typeof text === 'string' ? text : text.text;
}
