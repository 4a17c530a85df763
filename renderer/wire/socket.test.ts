import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { socketWire } from './socket.ts';

const opened: Socket[] = [];

class Socket extends EventTarget {
  readonly sent: string[] = [];

  constructor() {
    super();
    opened.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  hear(frame: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(frame) }));
  }

  close(code = 1005): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }));
  }
}

const kept = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  opened.length = 0;
  kept.clear();
  vi.stubGlobal('reportError', () => undefined);
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', {
    protocol: 'http:',
    host: '127.0.0.1:1',
    pathname: '/',
    hash: '#token=once',
  });
  vi.stubGlobal('history', { replaceState: () => undefined });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the next connection presents. */
async function next(): Promise<string | undefined> {
  await vi.advanceTimersToNextTimerAsync();
  const socket = opened.at(-1);
  socket?.dispatchEvent(new Event('open'));
  return socket?.sent[0];
}

it('presents the token of its link again when the connection is lost before that was accepted', async () => {
  socketWire();
  opened[0]?.close(1006);
  expect(await next()).toBe('{"token":"once"}');
});

it('gives a connection up on which nothing comes any more, and opens another', async () => {
  const states: string[] = [];
  socketWire().onState(({ kind }) => states.push(kind));
  opened[0]?.hear({ ready: true, token: 'own', silentMs: 45_000 });
  await vi.advanceTimersByTimeAsync(40_000);
  opened[0]?.hear({ beat: true });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(states).toEqual(['connecting', 'ready']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(states).toEqual(['connecting', 'ready', 'lost']);
  expect(await next()).toBe('{"token":"own"}');
  expect(opened).toHaveLength(2);
});

it('does not hear a connection that it gave up', async () => {
  const states: string[] = [];
  socketWire().onState(({ kind }) => states.push(kind));
  opened[0]?.hear({ ready: true, token: 'own', silentMs: 45_000 });
  await vi.advanceTimersByTimeAsync(45_000);
  opened[0]?.hear({ ready: true, token: 'other', silentMs: 45_000 });
  opened[0]?.close(1006);
  expect(states).toEqual(['connecting', 'ready', 'lost']);
  expect(opened).toHaveLength(1);
});

it('presents its own token once it was let in', async () => {
  socketWire();
  opened[0]?.hear({ ready: true, token: 'own', silentMs: 45_000 });
  opened[0]?.close(1006);
  expect(await next()).toBe('{"token":"own"}');
  expect(kept.get('gatehouse.token')).toBe('own');
});
