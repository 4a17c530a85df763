import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import { startServer } from './server.fixture.ts';

const MIB = 1024 * 1024;
const A = 's_a' as SessionId;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // The flag makes it.

/** What this process holds, once everything that nobody needs is gone. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const open = {
  'session.idle': async (
    input: { sessionId: SessionId },
    { follow }: { follow: (id: SessionId, seq: number) => void },
  ) => {
    follow(input.sessionId, 0);
    return { reason: 'none' as const };
  },
};

it('a window that does not read costs a few megabytes, and has every event once it reads again', async () => {
  const server = await startServer({ handlers: open });
  const window = await server.window();
  await window.ask({ id: 1, request: 'session.idle', input: { sessionId: A } });
  const before = held();
  window.socket.pause();
  const text = 'x'.repeat(MIB);
  for (let round = 0; round < 200; round += 1) {
    server.source.output(A, text);
    server.source.notice(`${round}`);
    server.source.chunk(A);
    // As from real work: the connection has its turn between two pushes.
    await new Promise(setImmediate);
  }
  expect(held() - before).toBeLessThan(40 * MIB);
  expect(server.pushed).toBeLessThan(40 * MIB);
  window.socket.resume();
  await expect.poll(() => window.told.filter(({ push }) => push === 'event').length).toBe(200);
  const seqs = window.told.flatMap(({ push, data }) =>
    push === 'event' && data && 'event' in data ? [data.event.seq] : [],
  );
  expect(seqs).toEqual(Array.from({ length: 200 }, (_, seq) => seq));
});

it('a window that asks and does not read is not listened to, until it reads', async () => {
  const checks = [{ name: 'x'.repeat(4 * MIB), ok: true, message: '' }];
  let asked = 0;
  const doctor = async () => {
    asked += 1;
    return { checks };
  };
  const server = await startServer({ handlers: { 'doctor.run': doctor }, limits: { unread: 2 } });
  const [slow, other] = [await server.window(), await server.window()];
  const before = held();
  slow.socket.pause();
  // Each a part of its own, so that a connection that is not listened to is noticed.
  const input = '{}'.padEnd(100_000);
  for (let id = 1; id <= 100; id += 1) slow.say(`{"id":${id},"request":"doctor.run","input":${input}}`);
  await other.ask({ id: 1, request: 'doctor.run' });
  await expect.poll(() => asked).toBeGreaterThan(2);
  await other.ask({ id: 2, request: 'doctor.run' });
  expect(asked).toBeLessThan(50);
  expect(held() - before).toBeLessThan(60 * MIB);
  slow.socket.resume();
  await expect.poll(() => slow.told.length, { timeout: 15_000 }).toBe(101);
  expect(slow.told.slice(1).every(({ ok }) => ok === true)).toBe(true);
});
