import { createHash } from 'node:crypto';
import { appendFile, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import type { SessionDraft } from '../../app/session/events.ts';
import { Session } from '../../app/session/session.ts';
import { committed, FakeTimers } from '../../app/session/session.fixture.ts';
import { answer, call, chunk, mode, said, step, turnEnd, turnStart } from '../../app/session/talk.fixture.ts';
import { Verifier } from '../../app/session/verify.ts';
import { FaultyDisk, headerNamed, makeHome, never, openStore, writerOf, type Home } from './home.fixture.ts';
import type { JsonlStore } from './jsonlStore.ts';

const id = 's_test' as SessionId;
const talk: SessionDraft[] = [
  said('hi 😀'),
  turnStart(1, 0),
  step(1, 1, 1),
  chunk('he'),
  chunk('llo'),
  answer('hello'),
  turnEnd(1),
];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let home: Home;
beforeEach(async () => {
  home = await makeHome();
});
afterEach(() => home.remove());

async function sessionOn(store: JsonlStore, header = headerNamed()): Promise<Session> {
  const writer = await writerOf(store, header);
  const timers = new FakeTimers();
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const session = new Session({ header, writer, now: () => 3, timers, onFault });
  session.begin();
  return session;
}

describe('jsonl store', () => {
  it('PER-1: a Session without events leaves nothing on disk; after the first event it is listed', async () => {
    const writer = await writerOf(home.store);
    expect(await home.store.list(never)).toEqual([]);
    expect(await readdir(home.folder)).toEqual([]);
    await writer.append(0, committed([said('hi')]));
    expect(await home.store.list(never)).toMatchObject([{ id: 's_test', length: 1, header: headerNamed() }]);
    await writer.close();
    expect((await readdir(home.paths().folder)).toSorted()).toEqual(['session.jsonl', 'writer.lock']);
  });

  it('PER-1: a Session that was closed without events takes its long texts with it', async () => {
    const writer = await writerOf(home.store);
    await writer.keep('long');
    await writer.close();
    expect(await readdir(home.sessions)).toEqual([]);
  });

  it('PER-2: reads the same events back after a restart, stream chunks included', async () => {
    const events = await home.write(talk);
    expect(await home.reopened().read(id, 0, 100, never)).toEqual(events);
    const lines = await home.lines();
    expect(lines[0]).toBe(JSON.stringify(headerNamed()));
    const stored = lines.slice(1).map((line) => line.replace(/,"hash":"[0-9a-f]{64}"}$/, '}'));
    expect(stored).toEqual(events.map((event) => JSON.stringify(event)));
  });

  it('chains each line to the one before it, beginning with the header', async () => {
    await home.write(talk);
    let previous = '';
    for (const line of await home.lines()) {
      const found = /^(?<text>.*),"hash":"(?<hash>[0-9a-f]{64})"}$/.exec(line)?.groups;
      const expected = found ? sha256(`${previous}\n${found['text']}}`) : sha256(line);
      expect(found?.['hash'] ?? expected).toBe(expected);
      previous = expected;
    }
  });

  it('keeps everything to its owner', async () => {
    const writer = await writerOf(home.store);
    await writer.append(0, committed([said('hi')]));
    await writer.keep('long');
    await writer.close();
    const { folder, log, blobs, lock } = home.paths();
    const blob = `${blobs}/${sha256('long')}`;
    const modes = await Promise.all(
      [home.sessions, folder, blobs, log, lock, blob].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600, 0o600]);
    expect(await readFile(blob, 'utf8')).toBe('long');
  });

  it('has a long text on disk, synced, before the event that names it', async () => {
    const disk = new FaultyDisk();
    const session = await sessionOn(home.reopened(disk));
    const long = 'é'.repeat(100_000);
    const data = await session.storable({ text: long, origin: 'person', queued: false });
    expect(disk.asked).toEqual(['syncFolder', 'write', 'sync', 'syncFolder']);
    session.append({ type: 'user/message', data: data as never });
    await session.close();
    const [event] = await home.reopened().read(id, 0, 1, never);
    const { text } = { ...event?.data } as { text: { text: string; blob: string; bytes: number } };
    expect([text.bytes, text.text.length]).toEqual([200_000, 32_768]);
    expect(await readFile(`${home.paths().blobs}/${text.blob}`, 'utf8')).toBe(long);
  });

  it('refuses an event over 256 KiB and a batch that does not come next, and stores nothing of either', async () => {
    const writer = await writerOf(home.store);
    await writer.append(0, committed([said('hi')]));
    const large = committed([said('fits'), said('x'.repeat(256 * 1024))], 1);
    await expect(writer.append(1, large)).rejects.toMatchObject({ code: 'too-large' });
    await expect(writer.append(0, committed([said('again')]))).rejects.toMatchObject({ code: 'conflict' });
    await expect(writer.append(1, committed([said('gap')], 2))).rejects.toMatchObject({ code: 'conflict' });
    await writer.append(1, committed([said('next')], 1));
    await writer.close();
    expect(await home.lines()).toHaveLength(3);
  });

  it('never gives a log to a second Session that was made under its id', async () => {
    const late = await writerOf(home.store);
    const events = await home.write([said('first')]);
    await expect(late.append(0, committed([said('second')]))).rejects.toMatchObject({ code: 'conflict' });
    const blob = await late.keep('a long text');
    await late.close();
    expect(await home.store.read(id, 0, 9, never)).toEqual(events);
    expect(await readdir(home.paths().blobs)).toEqual([blob]);
  });

  it.each(['write', 'half-write', 'sync'] as const)(
    'PER-10: after a failed %s the file has its previous length, and the next write repeats no seq',
    async (failing) => {
      const disk = new FaultyDisk();
      const writer = await writerOf(home.reopened(disk));
      await writer.append(0, committed([said('a')]));
      const { size } = await stat(home.paths().log);
      disk.failing = failing;
      await expect(writer.append(1, committed([said('b'), said('c')], 1))).rejects.toMatchObject({ code: 'storage' });
      expect((await stat(home.paths().log)).size).toBe(size);
      disk.failing = undefined;
      await writer.append(1, committed([said('b'), said('c'), said('d')], 1));
      await writer.close();
      const events = await home.reopened().read(id, 0, 9, never);
      expect(events.map(({ seq, data }) => [seq, (data as { text: string }).text])).toEqual([
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
        [3, 'd'],
      ]);
      expect(await home.reopened().verify(id, new Verifier(), never)).toMatchObject({ ok: true, checked: 4 });
    },
  );

  it('PER-10: when not even the truncation succeeds the next append takes the leftover away first', async () => {
    const disk = new FaultyDisk();
    const broken: FaultyDisk = Object.assign(new FaultyDisk(), {
      truncate: () => Promise.reject(new Error('no truncate')),
    });
    broken.failing = 'half-write';
    let current = disk;
    const writer = await writerOf(
      home.reopened({
        write: (...args) => current.write(...args),
        sync: (...args) => current.sync(...args),
        truncate: (...args) => current.truncate(...args),
        syncFolder: (...args) => current.syncFolder(...args),
      }),
    );
    await writer.append(0, committed([said('a')]));
    current = broken;
    await expect(writer.append(1, committed([said('b')], 1))).rejects.toMatchObject({ code: 'storage' });
    current = disk;
    await writer.append(1, committed([said('c')], 1));
    await writer.close();
    expect(await home.reopened().inspect(id, never)).not.toHaveProperty('damage');
    expect(await home.lines()).toHaveLength(3);
  });

  it.each(['write', 'sync', 'syncFolder'] as const)(
    'PER-10: a first write that fails in %s leaves no log, and can be tried again',
    async (failing) => {
      const disk = new FaultyDisk();
      const writer = await writerOf(home.reopened(disk));
      disk.failing = failing;
      disk.code = 'ENOSPC';
      await expect(writer.append(0, committed([said('a')]))).rejects.toMatchObject({ code: 'storage', full: true });
      expect(await home.reopened().list(never)).toEqual([]);
      disk.failing = undefined;
      await writer.append(0, committed([said('a')]));
      await writer.close();
      expect((await readdir(home.paths().folder)).toSorted()).toEqual(['session.jsonl', 'writer.lock']);
    },
  );

  it('PER-10: a log whose name may not last is taken back, so that the first write can be tried again', async () => {
    const disk = Object.assign(new FaultyDisk(), { failing: 'syncFolder' as const, folder: home.paths().folder });
    const writer = await writerOf(home.reopened(disk));
    await expect(writer.append(0, committed([said('a')]))).rejects.toMatchObject({ code: 'storage' });
    expect(await home.reopened().list(never)).toEqual([]);
    disk.folder = 'none';
    await writer.append(0, committed([said('a')]));
    await writer.close();
    expect(await home.reopened().list(never)).toMatchObject([{ length: 1 }]);
  });

  it('SES-6: an untouched Session that is opened twice does not grow the second time', async () => {
    await home.write(talk);
    await (await sessionOn(home.store)).close();
    const once = await readFile(home.paths().log);
    await (await sessionOn(home.reopened())).close();
    expect(await readFile(home.paths().log)).toEqual(once);
    expect(await home.lines()).toHaveLength(talk.length + 2);
  });

  it('reads a window at the end of a long log, and any other, from the nearest mark', async () => {
    const events = await home.write(Array.from({ length: 1000 }, (_, n) => said(`message ${n}`)));
    const store = home.reopened();
    for (const [from, to] of [
      [0, 1],
      [63, 66],
      [64, 128],
      [700, 1000],
      [999, 5000],
      [1000, 1001],
      [5, 5],
    ] as const) {
      expect(await store.read(id, from, to, never)).toEqual(events.slice(from, to));
    }
    expect(Object.isFrozen((await store.read(id, 0, 1, never))[0]?.data)).toBe(true);
  });

  it('sees what another store has written since it last looked', async () => {
    await home.write([said('a')]);
    expect(await home.store.inspect(id, never)).toMatchObject({ length: 1 });
    const writer = await writerOf(home.reopened());
    await writer.append(1, committed([said('b'), mode('read-only')], 1));
    expect(await home.store.inspect(id, never)).toMatchObject({
      length: 3,
      folded: { policy: { mode: { value: 'read-only' } } },
    });
    expect(await home.store.read(id, 1, 2, never)).toMatchObject([{ data: { text: 'b' } }]);
    await writer.close();
  });

  it('notices when what it has read before was changed, though the file has grown', async () => {
    await home.write([said('aaaa'), said('b')]);
    expect(await home.store.inspect(id, never)).toMatchObject({ length: 2 });
    const [header, ...lines] = await home.lines();
    await writeFile(home.paths().log, [header, 'broken', ...lines, ''].join('\n'));
    expect(await home.store.inspect(id, never)).toMatchObject({ damage: { kind: 'damaged', line: 2 } });
  });

  it('spells ids as one safe path component, and tells of what it does not know', async () => {
    await home.write([said('a')], headerNamed('../sly id'));
    expect(await readdir(home.sessions)).toEqual(['%2e%2e%2fsly%20id']);
    expect(await home.store.list(never)).toMatchObject([{ id: '../sly id', length: 1 }]);
    await expect(home.store.inspect('s_none' as SessionId, never)).rejects.toMatchObject({ code: 'not-found' });
    await expect(home.store.read('s_none' as SessionId, 0, 1, never)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('1-d: only one writer at a time; the other is told who, and continues when that one is gone', async () => {
    await home.write([said('a')]);
    const first = await writerOf(openStore(home.sessions, undefined, 'i_first'));
    const second = await openStore(home.sessions, undefined, 'i_second').openForWriting(headerNamed(), never);
    expect(second).toMatchObject({ kind: 'open-elsewhere', holder: expect.stringContaining(`process ${process.pid}`) });
    expect(second).toMatchObject({ holder: expect.stringContaining('i_first') });
    await first.append(1, committed([said('b')], 1));
    expect(await home.reopened().read(id, 0, 9, never)).toHaveLength(2);
    await first.close();
    const third = await writerOf(home.reopened());
    expect(third.stored.length).toBe(2);
    await third.close();
  });

  it('hands a resumed Session its last 300 events, its call ids and its folds', async () => {
    await home.write([
      call('c1'),
      call('c1~2'),
      mode('read-only'),
      ...Array.from({ length: 400 }, (_, n) => said(`${n}`)),
    ]);
    const writer = await writerOf(home.reopened());
    expect([writer.window.length, writer.window[0]?.seq]).toEqual([300, 103]);
    expect([...writer.callIds]).toEqual([
      ['c1', 2],
      ['c1~2', 1],
    ]);
    expect(writer.stored.folded.policy.mode?.value).toBe('read-only');
    await writer.close();
  });
});

describe('a torn tail', () => {
  it('1-a: cut at any byte, also inside a character, keeps every event, and the rest is kept aside', async () => {
    const events = await home.write([said('a'), said('b 😀')]);
    const bytes = await readFile(home.paths().log);
    const last = bytes.subarray(0, -1).lastIndexOf(10) + 1;
    for (let cut = last + 1; cut < bytes.length; cut += 1) {
      await writeFile(home.paths().log, bytes.subarray(0, cut));
      const store = home.reopened();
      expect(await store.inspect(id, never)).toMatchObject({ length: 1, damage: { kind: 'torn', bytes: cut - last } });
      expect(await store.list(never)).toHaveLength(1);
      expect((await readFile(home.paths().log)).length).toBe(cut);
      const writer = await writerOf(store);
      expect(await readFile(writer.torn?.path ?? '')).toEqual(bytes.subarray(last, cut));
      expect(writer.torn?.path).toMatch(/session\.jsonl\.torn-17000000\d{5}$/);
      await writer.append(1, committed([said('next')], 1));
      await writer.close();
      expect(await home.reopened().read(id, 0, 9, never)).toEqual([events[0], ...committed([said('next')], 1)]);
      const again = await writerOf(home.reopened());
      expect([again.torn, again.stored.length]).toEqual([undefined, 2]);
      await again.close();
    }
  });
});

describe('damage', () => {
  it.each([
    ['NUL bytes', '\0'.repeat(512), 'NUL'],
    ['half an object', '{"type":"user/mess', 'not JSON'],
    ['an empty line', '', 'empty'],
    ['a list', '[]', 'hash'],
    ['an event without its hash', JSON.stringify(committed([said('x')], 3)[0]), 'hash'],
  ])(
    'PER-4 1-b: %s before a closed turn is reported with its line, and nothing is skipped silently',
    async (_name, line, why) => {
      const drafts = [...talk, mode('danger-full-access'), mode('read-only'), said('later')];
      const events = await home.write(drafts);
      const lines = [...(await home.lines())];
      lines[4] = line;
      await writeFile(home.paths().log, `${lines.join('\n')}\n`);
      const before = await readFile(home.paths().log);
      const store = home.reopened();
      const stored = await store.inspect(id, never);
      expect(stored.damage).toMatchObject({ kind: 'damaged', line: 5, message: expect.stringContaining(why) });
      expect(stored.length).toBe(10);
      expect(await store.read(id, 0, 99, never)).toEqual(events.filter((event) => event.seq !== 3));
      await expect(store.openForWriting(headerNamed(), never)).rejects.toMatchObject({ code: 'damaged' });
      const verified = await store.verify(id, new Verifier(), never);
      expect(verified.problems[0]).toMatchObject({ seq: 3, rule: 'chain', message: expect.stringContaining('Line 5') });
      expect(await readFile(home.paths().log)).toEqual(before);
    },
  );

  it('1-b: after a gap only what narrows policy counts', async () => {
    await home.write([said('a'), said('b'), mode('danger-full-access'), mode('read-only'), mode('workspace-write')]);
    const lines = [...(await home.lines())];
    lines[2] = '[]';
    await writeFile(home.paths().log, `${lines.join('\n')}\n`);
    const { folded } = await home.reopened().inspect(id, never);
    expect(folded.policy.mode).toEqual({ value: 'read-only', seq: 3 });
  });

  it('PER-4: a line that is missing or comes twice is damage too', async () => {
    await home.write(talk);
    const lines = await home.lines();
    await writeFile(home.paths().log, `${lines.toSpliced(3, 1).join('\n')}\n`);
    expect((await home.reopened().inspect(id, never)).damage).toMatchObject({
      line: 4,
      message: expect.stringContaining('events 2 to 2 are missing'),
    });
    await writeFile(home.paths().log, `${lines.toSpliced(3, 0, lines[2] ?? '').join('\n')}\n`);
    expect((await home.reopened().inspect(id, never)).damage).toMatchObject({
      line: 4,
      message: expect.stringContaining('second time'),
    });
  });

  it('PER-6: an unknown type is refused, naming type and file, unless it is marked ignorable', async () => {
    const future = { type: 'future/thing', data: { a: 1 } } as unknown as SessionDraft;
    await home.write([said('a'), { ...future, ignorable: true }, said('b')]);
    expect(await home.reopened().inspect(id, never)).not.toHaveProperty('damage');
    expect(await home.reopened().read(id, 1, 2, never)).toMatchObject([{ type: 'future/thing', ignorable: true }]);
    await home.write([said('a'), future, said('b')], headerNamed('s_two'));
    const { damage } = await home.reopened().inspect('s_two' as SessionId, never);
    expect(damage).toMatchObject({ kind: 'damaged', line: 3, message: expect.stringContaining('"future/thing"') });
    expect(damage).toMatchObject({ message: expect.stringContaining(home.paths('s_two').log) });
    await expect(home.reopened().openForWriting(headerNamed('s_two'), never)).rejects.toMatchObject({
      code: 'damaged',
    });
  });

  it('PER-5: of a newer version it says that a newer program wrote it, and where it is', async () => {
    await home.write([said('a')]);
    const [, line] = await home.lines();
    await writeFile(home.paths().log, `${JSON.stringify({ ...headerNamed(), version: 2 })}\n${line}\n`);
    const refused: unknown = await home
      .reopened()
      .openForWriting(headerNamed(), never)
      .catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ code: 'newer-version', message: expect.stringContaining('newer program') });
    expect(refused).toMatchObject({ message: expect.stringContaining(home.paths().log) });
    expect(await home.reopened().list(never)).toMatchObject([{ damage: { kind: 'newer' } }]);
  });

  it.each(['sandboxMode', 'approvalPolicy'])('PER-16: a header with the retired member %s is refused', async (key) => {
    await home.write([said('a')]);
    const [, line] = await home.lines();
    await writeFile(home.paths().log, `${JSON.stringify({ ...headerNamed(), [key]: 'x' })}\n${line}\n`);
    await expect(home.reopened().openForWriting(headerNamed(), never)).rejects.toMatchObject({
      code: 'invalid-header',
      message: expect.stringContaining(key),
    });
    const stored = await home.reopened().inspect(id, never);
    expect(stored.damage).toMatchObject({ kind: 'damaged', line: 1 });
    expect(stored).not.toHaveProperty('header');
  });

  it('refuses a folder that was copied by hand: two Sessions would have one id', async () => {
    await home.write([said('a')]);
    await cp(home.paths().folder, home.paths('s_copy').folder, { recursive: true });
    expect(await home.reopened().list(never)).toMatchObject([{ id: 's_copy', damage: { line: 1 } }, { id: 's_test' }]);
    await expect(home.reopened().openForWriting(headerNamed('s_copy'), never)).rejects.toMatchObject({
      code: 'damaged',
    });
  });

  it('writes no more to a log that another program has changed under it', async () => {
    const writer = await writerOf(home.store);
    await writer.append(0, committed([said('a')]));
    await appendFile(home.paths().log, 'foreign');
    const before = await readFile(home.paths().log);
    await expect(writer.append(1, committed([said('b')], 1))).rejects.toMatchObject({ code: 'damaged' });
    await writer.close();
    expect(await readFile(home.paths().log)).toEqual(before);
  });

  it('one damaged Session never hides the others', async () => {
    await home.write([said('a')], headerNamed('s_a'));
    await home.write([said('b')], headerNamed('s_b'));
    await writeFile(home.paths('s_a').log, 'nonsense\n');
    const found = await home.reopened().list(never);
    expect(found.map((stored) => `${stored.id} ${stored.damage?.kind}`).toSorted()).toEqual([
      's_a damaged',
      's_b undefined',
    ]);
  });
});

describe('verify', () => {
  it('finds nothing in what the store wrote, over several batches', async () => {
    const writer = await writerOf(home.store);
    for (let seq = 0; seq < 5; seq += 1) await writer.append(seq, committed([said(`${seq}`)], seq));
    await writer.close();
    expect(await home.reopened().verify(id, new Verifier(), never)).toEqual({ ok: true, checked: 5, problems: [] });
  });

  it('names the first line whose content was changed without breaking its form', async () => {
    await home.write(talk);
    const text = await readFile(home.paths().log, 'utf8');
    await writeFile(home.paths().log, text.replace('"llo"', '"lle"'));
    const { ok, problems } = await home.reopened().verify(id, new Verifier(), never);
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ seq: 4, rule: 'chain', message: expect.stringContaining('Line 6') });
  });

  it('finds a header that was changed, and an end that was cut off inside a line', async () => {
    await home.write(talk);
    const text = await readFile(home.paths().log, 'utf8');
    await writeFile(home.paths().log, text.replace('"/w"', '"/v"'));
    expect((await home.reopened().verify(id, new Verifier(), never)).problems[0]).toMatchObject({
      seq: 0,
      rule: 'chain',
    });
    await writeFile(home.paths().log, text);
    await appendFile(home.paths().log, '{"type":');
    expect((await home.reopened().verify(id, new Verifier(), never)).problems[0]).toMatchObject({
      seq: 7,
      rule: 'chain',
    });
  });
});
