import { expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { until } from '../process/until.ts';
import { handlersWith } from '../handlers.fixture.ts';
import { MemorySource } from '../pushes.fixture.ts';
import { Windows } from '../windows.ts';
import { Wire } from './wire.ts';

const session = 's_1' as SessionId;

function setUp() {
  const source = new MemorySource();
  const faults: unknown[] = [];
  let attending = 0;
  const attend = (): (() => void) => {
    attending += 1;
    return () => void (attending -= 1);
  };
  const doors: string[] = [];
  const handlers = handlersWith({
    'session.open': async ({ sessionId }, caller) => {
      doors.push(caller.door);
      caller.follow(sessionId, 0);
      return {} as never; // Nobody reads it here.
    },
    'preset.list': async () => ({ presets: [] }),
  });
  const windows = new Windows({ core: { attend }, source, handlers, onFault: (fault) => void faults.push(fault) });
  const wireOf = (name: string) => {
    const sent: Push[] = [];
    const wire = new Wire({ windows, name, send: (json) => void sent.push(JSON.parse(json) as Push) }); // Our own.
    return { wire, sent, heard: (fits: (push: Push) => boolean) => until(() => sent.some(fits), 2_000) };
  };
  return { source, doors, wireOf, attending: () => attending, faults };
}

const isNotice = (id: string) => (push: Push) => push.push === 'notice' && push.data.noticeId === id;
const isEvent = (seq: number) => (push: Push) => push.push === 'event' && push.data.event.seq === seq;

it('a page is connected by its first request, and is told nothing before, since it would not hear it', async () => {
  const { source, wireOf, attending } = setUp();
  const { wire, sent, heard } = wireOf('window-1');
  source.notice('early');
  expect([source.listeners, attending()]).toEqual([0, 0]);
  expect(await wire.answer('preset.list', {})).toEqual({ ok: true, output: { presets: [] } });
  source.notice('late');
  await heard(isNotice('late'));
  expect(sent.some(isNotice('early'))).toBe(false);
  expect(attending()).toBe(1);
});

it('an input that is absent is an empty one, and a bad name is answered', async () => {
  const { wire } = setUp().wireOf('window-1');
  expect(await wire.answer('preset.list', undefined)).toMatchObject({ ok: true });
  expect(await wire.answer(5, {})).toMatchObject({ ok: false, code: 'unknown-request' });
});

it('a page that is loaded anew follows nothing that the old one followed', async () => {
  const { source, doors, wireOf, attending } = setUp();
  const { wire, sent, heard } = wireOf('window-1');
  await wire.answer('session.open', { sessionId: session });
  source.chunk(session);
  await heard(isEvent(0));
  wire.renew();
  expect([source.listeners, attending()]).toEqual([0, 0]);
  await wire.answer('preset.list', {});
  source.chunk(session);
  source.notice('after');
  await heard(isNotice('after'));
  expect(sent.some(isEvent(1))).toBe(false);
  expect(doors).toEqual(['window-1']);
});

it('what a window should show reaches it as soon as its page asks, once, and no other window', async () => {
  const { wireOf } = setUp();
  const [first, second] = [wireOf('window-1'), wireOf('window-2')];
  await second.wire.answer('preset.list', {});
  first.wire.show({ sessionId: session });
  await first.wire.answer('preset.list', {});
  await first.wire.answer('preset.list', {});
  const shown = { push: 'show', data: { sessionId: session } };
  await first.heard((push) => push.push === 'show');
  expect(first.sent).toEqual([shown]);
  expect(second.sent).toEqual([]);
  second.wire.show({ workspace: '/w' });
  await second.heard((push) => push.push === 'show');
  expect(first.sent).toEqual([shown]);
});

it('a window that does not respond is sent nothing until it does', async () => {
  const { source, wireOf } = setUp();
  const [slow, quick] = [wireOf('window-1'), wireOf('window-2')];
  await Promise.all([slow, quick].map(({ wire }) => wire.answer('preset.list', {})));
  slow.wire.hold();
  source.notice('n');
  await quick.heard(isNotice('n'));
  expect(slow.sent).toEqual([]);
  slow.wire.release();
  await slow.heard(isNotice('n'));
});

it('a window that is gone rejects nothing and leaves nobody behind', async () => {
  const { source, wireOf, faults, attending } = setUp();
  const { wire } = wireOf('window-1');
  await wire.answer('preset.list', {});
  wire.hold();
  source.notice('n');
  wire.renew();
  wire.renew();
  expect([source.listeners, attending(), faults]).toEqual([0, 0, []]);
});
