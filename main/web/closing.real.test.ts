import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startServer } from './server.fixture.ts';

function refusedAt(port: number, host: string): Promise<unknown> {
  return once(connect(port, host), 'connect').catch((fault: unknown) => fault);
}

it('closing sends what is owed, parts with a reason, and nothing listens any more', async () => {
  const go = Promise.withResolvers<void>();
  const server = await startServer({ handlers: { 'doctor.run': () => go.promise.then(() => ({ checks: [] })) } });
  const window = await server.window();
  const waiting = server.socket();
  await once(waiting.socket, 'open');
  window.say({ id: 1, request: 'doctor.run' });
  window.say({ id: 2, request: 'no.such' });
  expect(await window.next()).toMatchObject({ id: 2 });
  const closing = server.close();
  expect(server.close()).toBe(closing);
  go.resolve();
  expect(await window.next()).toEqual({ id: 1, ok: true, output: { checks: [] } });
  expect(await window.ended).toEqual([1001, 'Gatehouse is closing.']);
  expect(await waiting.ended).toEqual([1001, 'Gatehouse is closing.']);
  await closing;
  expect(server.attending).toBe(0);
  expect(await refusedAt(server.port, '127.0.0.1')).toMatchObject({ code: 'ECONNREFUSED' });
  expect(await refusedAt(server.port, '::1')).toMatchObject({ code: 'ECONNREFUSED' });
});

it('closing does not wait for ever: neither for an answer, nor for a window that does not part, nor for a browser', async () => {
  const never = new Promise<never>(() => undefined);
  const server = await startServer({ handlers: { 'doctor.run': () => never }, limits: { graceMs: 50 } });
  const window = await server.window();
  window.say({ id: 1, request: 'doctor.run' });
  window.say({ id: 2, request: 'no.such' });
  await window.next();
  window.socket.pause();
  const browser = connect(server.port, '127.0.0.1');
  await once(browser, 'connect');
  browser.write(`GET / HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
  await once(browser, 'data');
  // It has begun to ask for more.
  browser.write('GET /assets/');
  await server.http('/');
  const gone = once(browser, 'close');
  await server.close();
  await gone;
  expect(server.attending).toBe(0);
  // Of themselves, connections would end after five seconds at the earliest.
}, 4_000);

it('a connection that asks to become a window while Gatehouse closes does not become one', async () => {
  const go = Promise.withResolvers<void>();
  const server = await startServer({ handlers: { 'doctor.run': () => go.promise.then(() => ({ checks: [] })) } });
  const window = await server.window();
  window.say({ id: 1, request: 'doctor.run' });
  const late = connect(server.port, '127.0.0.1');
  late.write(`GET /ws HTTP/1.1\r\nHost: ${server.host}\r\n`);
  // What came first is read first.
  await server.http('/');
  await window.ask({ id: 2, request: 'no.such' });
  const closing = server.close();
  late.write(`Origin: ${server.origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  expect(await text(late)).toMatch(/^HTTP\/1\.1 503 .*Gatehouse is closing\.\n$/s);
  go.resolve();
  await closing;
});
