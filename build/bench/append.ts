import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import { LOG_VERSION } from '../../app/session/header.ts';
import { Session } from '../../app/session/session.ts';
import { after } from '../../main/base/after.ts';
import { loadLocks } from '../../main/native.ts';
import { JsonlStore } from '../../main/session/jsonlStore.ts';
import { median, type Row } from './measure.ts';

const EVENTS = 100_000;
const LAST = 2_000;

/** `Session.append` at the end of a long log that a real store keeps. */
export async function measureAppend(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const holder = { instance: 'bench', pid: process.pid, startTime: '', since: Date.now() };
  const store = new JsonlStore({ folder, locks: loadLocks(), holder, now: Date.now });
  const header = { version: LOG_VERSION, id: 's_bench' as SessionId, createdAt: Date.now(), workspace: '/' } as const;
  const writer = await store.openForWriting(header, new AbortController().signal);
  if (writer.kind !== 'writer') throw new Error('The log is open elsewhere');
  const session = new Session({ header, writer, now: Date.now, timers: { after }, onFault: fail });
  try {
    session.begin();
    const first = await appendMany(session, LAST);
    while (session.length < EVENTS) await appendMany(session, 5_000);
    const last = await appendMany(session, LAST);
    return [
      { name: 'Session.append at 2,000 events', unit: 'µs', measured: median(first) * 1000 },
      { name: 'Session.append at 100,000 events', unit: 'µs', measured: median(last) * 1000, target: 20 },
    ];
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function appendMany(session: Session, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    session.append({
      type: 'assistant/chunk',
      ignorable: true,
      data: { turn: 1, step: 1, text: `Part ${index} of an answer. ` },
    });
    times.push(performance.now() - start);
  }
  await session.flush();
  return times;
}

function fail(fault: unknown): void {
  throw fault;
}
