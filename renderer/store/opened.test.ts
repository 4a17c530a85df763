import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../app/contract/reply.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { toView } from '../../app/session/view.ts';
import { fold, NOTHING_SAID } from '../../app/session/view/fold.ts';
import { id, log, said } from '../transcript/log.fixture.ts';

// The window's end of the wire: every reply is one that the test gives.
const replies: ((reply: Reply) => void)[] = [];
const bridge = {
  request: () => new Promise<Reply>((resolve) => replies.push(resolve)),
  onPush: () => () => undefined,
};
vi.stubGlobal('window', { gatehouse: bridge });
const { closeSession, hearEvents, loadEnd, openSession, resync, useOpened } = await import('./opened.ts');

const A = id.session('A');
const B = id.session('B');

function messages(from: number, to: number): readonly SessionEvent[] {
  return log(
    Array.from({ length: to - from }, () => said('x')),
    from,
  );
}

/** As `session.open` answers for a log of so many messages. */
function snapshot(length: number): Reply {
  const all = messages(0, length);
  const header = { version: 1, id: A, createdAt: 1, workspace: '/work' } as const;
  const view = toView({ header, length, folded: all.reduce(fold, NOTHING_SAID) });
  return { ok: true, output: { header, view, events: all.slice(-300), more: length > 300 } };
}

function held() {
  const { opened } = useOpened.getState();
  return opened.kind === 'open' ? [opened.sessionId, opened.length] : [opened.kind];
}

async function reply(given: Reply, to = 0): Promise<void> {
  replies.splice(to, 1)[0]?.(given);
  await new Promise(setImmediate);
}

beforeEach(async () => {
  closeSession();
  replies.length = 0;
  void openSession(A);
  await reply(snapshot(10));
});

describe('a snapshot that is older than what was heard meanwhile', () => {
  it('takes nothing back, when the connection was lost', async () => {
    void resync(A);
    hearEvents(A, messages(10, 12));
    await reply(snapshot(10));
    expect(held()).toEqual([A, 12]);
  });

  it('takes nothing back, when a person goes to the end', async () => {
    void openSession(A);
    await reply(snapshot(5_000));
    const { opened } = useOpened.getState();
    if (opened.kind !== 'open') throw new Error('It is not open');
    useOpened.setState({ opened: { ...opened, end: 4_900 } });
    void loadEnd();
    hearEvents(A, messages(5_000, 5_001));
    await reply(snapshot(5_000));
    expect(useOpened.getState().opened).toMatchObject({ length: 5_001, end: 5_001 });
  });

  it('is dropped, when the Session was opened once more since', async () => {
    void openSession(A);
    void openSession(A);
    hearEvents(A, messages(10, 11));
    await reply(snapshot(11), 1);
    hearEvents(A, messages(11, 12));
    await reply(snapshot(11));
    expect(held()).toEqual([A, 12]);
  });
});

it('an answer for the Session before takes nothing from the one that is being opened', async () => {
  void resync(A);
  void openSession(B);
  hearEvents(B, messages(10, 11));
  await reply(snapshot(10));
  await reply(snapshot(10));
  expect(held()).toEqual([B, 11]);
});

it('a gap in the numbers asks for the snapshot once, and what comes behind it is kept', async () => {
  hearEvents(A, messages(12, 13));
  hearEvents(A, messages(13, 14));
  expect(replies).toHaveLength(1);
  await reply(snapshot(13));
  expect(held()).toEqual([A, 14]);
});
