import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import type { Text } from '../app/base/text.ts';
import type { Result } from '../app/tool/result.ts';
import { ControlClient, sessionOver } from './controlClient.fixture.ts';
import { assertGone, command, processesOf, program, type TestCall } from './core.fixture.ts';
import { readProc, signalTo } from './process/identity.ts';
import { until } from './process/until.ts';

const MIB = 2 ** 20;
/** So much is read of a flood before it is cancelled: many times what may be kept of it. */
const READ = 48 * MIB;
const GROWTH = 200 * MIB;
/** Of the output that is kept: its limit in the settings, and what a result holds of it itself. */
const [CAP, TEXT] = [8 * MIB, 64 * 1024];

let folder: string;
let client: ControlClient;
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-flood-');
  client = new ControlClient(join(folder, 'home'));
});
afterEach(async () => {
  client.destroy();
  for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});

const ENDLESS = "printf start >&2; exec tr '\\0' x < /dev/zero >&2";
/** As much as a program may print is less than a flood; this much is loud, and then it goes on for ever. */
const LOUD =
  "for (let i = 0; i < 30_000; i += 1) console.log('y'.repeat(99)); for (;;) { console.log('y'); await new Promise((next) => setTimeout(next, 5)); }";

describe('4-d: an endless output', () => {
  it.each([
    ['lines at full speed', command('a', 'yes'), READ],
    ['one line without an end on stderr', command('a', ENDLESS), READ],
    ['a program that calls the console in a loop', program('a', LOUD), 2 * MIB],
  ])(
    'of %s costs the app no memory, ends with a cancel, and is kept up to the cap with what was dropped told',
    async (_name, call, amount) => {
      const sessionId = await sessionOver(client, { folder, preset: 'workspace-write', calls: [call] });
      const before = memory();
      await client.request('session.prompt', { sessionId, text: 'Go' });
      const from = read();
      await client.until(() => heard(sessionId) > 0);
      expect(await until(() => read() - from > amount, 60_000)).toBe(true);
      await client.request('session.stop', { sessionId });
      expect((await client.request('session.idle', { sessionId })).reason).toBe('aborted');
      expect(memory('peak') - before).toBeLessThan(GROWTH);
      const result = await resultOf(sessionId, call);
      expect(result).toMatchObject({ status: 'cancelled', code: 'stopped' });
      await expectKept(sessionId, result);
      expect(await client.end()).toBe(0);
    },
    90_000,
  );

  it('of a program ends at its limit by itself, which is told with what was dropped', async () => {
    const call = program('a', "for (;;) console.log('y'.repeat(99))");
    const sessionId = await sessionOver(client, { folder, preset: 'workspace-write', calls: [call] });
    const before = memory();
    await client.request('session.prompt', { sessionId, text: 'Go' });
    await client.request('session.idle', { sessionId });
    expect(memory('peak') - before).toBeLessThan(GROWTH);
    const result = await resultOf(sessionId, call);
    expect(result).toMatchObject({ status: 'failed', code: 'output-limit' });
    await expectKept(sessionId, result);
    expect(await client.end()).toBe(0);
  }, 60_000);
});

/** Its memory now; with `peak` the most that it ever had. */
function memory(peak?: 'peak'): number {
  const line = peak ? /^VmHWM:\s*(\d+) kB$/m : /^VmRSS:\s*(\d+) kB$/m;
  const [, kib] = line.exec(readProc(client.pid, 'status') ?? '') ?? [];
  return Number(kib) * 1024;
}

/** All bytes that the core has read, of whatever. */
function read(): number {
  const [, bytes] = /^rchar: (\d+)$/m.exec(readProc(client.pid, 'io') ?? '') ?? [];
  return Number(bytes);
}

function heard(sessionId: SessionId): number {
  return client.pushes.filter(({ push, data }) => push === 'output' && data.sessionId === sessionId).length;
}

async function resultOf(sessionId: SessionId, { id }: TestCall): Promise<Result> {
  const lines = (await logOf(sessionId)).split('\n').filter((line) => line.includes('"type":"tool/result"'));
  expect(lines).toHaveLength(1);
  const { data } = JSON.parse(lines[0] ?? '') as { data: Result }; // By its type.
  expect(data.callId).toBe(id);
  return data;
}

function logOf(sessionId: SessionId): Promise<string> {
  return readFile(join(folder, 'home', 'sessions', sessionId, 'session.jsonl'), 'utf8');
}

async function expectKept(sessionId: SessionId, result: Result): Promise<void> {
  const output: Text = result.facts?.output ?? result.logs ?? { text: '', bytes: 0, dropped: 0 };
  const blobs = join(folder, 'home', 'sessions', sessionId, 'blobs');
  const blob = output.blob === undefined ? 0 : (await stat(join(blobs, output.blob))).size;
  expect(Buffer.byteLength(output.text)).toBeLessThanOrEqual(TEXT);
  expect(blob).toBeLessThanOrEqual(CAP);
  expect(output.dropped).toBeGreaterThan(0);
  expect(output.bytes).toBe(output.dropped + blob + Buffer.byteLength(output.text));
  expect(result.content.includes(`${output.dropped} bytes were dropped`)).toBe(true);
  const lines = (await logOf(sessionId)).split('\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(4 * TEXT);
}
