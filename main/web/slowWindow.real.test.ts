import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import { SOON, startServer, type Client } from './server.fixture.ts';

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
  await window.until((told) => seqOf(told) === 199);
  const seqs = window.told.map(seqOf).filter((seq) => seq !== undefined);
  expect(seqs).toEqual(Array.from({ length: 200 }, (_, seq) => seq));
});

it('a window that asks and does not read is not listened to, until it reads', async () => {
  let asked = 0;
  const doctor = async () => {
    asked += 1;
    return { checks: [{ name: 'x'.repeat(2 * MIB), ok: true, message: '' }] };
  };
  const server = await startServer({ handlers: { 'doctor.run': doctor }, limits: { unread: 2 } });
  const window = await server.window();
  window.socket.pause();
  // Each so long that it takes a look at the connection of its own to read the next.
  const input = '{}'.padEnd(100_000);
  for (let id = 1; id <= 40; id += 1) window.say(`{"id":${id},"request":"doctor.run","input":${input}}`);
  await expect.poll(() => asked, SOON).toBeGreaterThan(2);
  // Whatever it may still hear it has heard when another window has been answered twice.
  const other = await server.window();
  for (const id of [1, 2]) await other.ask({ id, request: 'no.such' });
  expect(asked).toBeLessThan(20);
  window.socket.resume();
  await window.until(({ id }) => id === 40);
  expect(window.told.filter(({ ok }) => ok === true)).toHaveLength(40);
  expect(asked).toBe(40);
});

function seqOf({ push, data }: Client['told'][number]): number | undefined {
  return push === 'event' && data && 'event' in data ? data.event.seq : undefined;
}
