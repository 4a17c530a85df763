import fc from 'fast-check';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobId, SessionId } from '../../app/base/id.ts';
import type { JobOutput } from '../../app/job/output.ts';
import { StorageError } from '../../app/log/journal.ts';
import { FaultyDisk, makeHome, never, type Home } from './home.fixture.ts';
import { FileJobOutputs } from './jobOutputs.ts';

const A = 's_a' as SessionId;
let home: Home;
let outputs: FileJobOutputs;
let disk: FaultyDisk;
let faults: unknown[];
let ids = 0;

beforeEach(async () => {
  home = await makeHome();
  faults = [];
  disk = new FaultyDisk();
  outputs = new FileJobOutputs({ sessions: home.sessions, disk, onFault: (fault) => void faults.push(fault) });
});
afterEach(() => home.remove());

const nextId = () => `j_${(ids += 1)}` as JobId;
const fileOf = (id: JobId) => join(home.sessions, A, 'jobs', `${id}.txt`);

/** Pages of an output that is whole, from its first byte on. */
async function pagesOf(output: JobOutput) {
  const pages = [await output.page(0, never)];
  for (let page = pages[0]; page && !page.last; page = pages.at(-1)) pages.push(await output.page(page.next, never));
  return pages;
}

describe('the output of a job', () => {
  it('is kept as it came, in a private file, and can be read while it grows and when it is closed', async () => {
    const id = nextId();
    const output = await outputs.open(A, id, 1000);
    for (const text of ['one ', 'äöü ', '😀\n']) output.write(text);
    await expect.poll(async () => (await output.page(0, never)).text).toBe('one äöü 😀\n');
    output.write('more');
    await output.close();
    expect(await output.page(16, never)).toEqual({ text: 'more', from: 16, next: 20, last: true, dropped: 0 });
    expect(await readFile(fileOf(id), 'utf8')).toBe('one äöü 😀\nmore');
    expect((await stat(fileOf(id))).mode & 0o777).toBe(0o600);
  });

  it('is never more than its limit: the rest is counted, and no hole is left by what would fit again', async () => {
    const output = await outputs.open(A, nextId(), 10);
    for (const text of ['12345678', '😀', '9']) output.write(text);
    await output.close();
    output.write('late');
    expect(await output.page(0, never)).toEqual({ text: '12345678', from: 0, next: 8, last: true, dropped: 9 });
    expect(await output.page(500, never)).toMatchObject({ text: '', from: 8, next: 8, last: true });
  });

  it('is paged without a gap and without half a character, at most 64 KiB at once', async () => {
    const character = fc.constantFrom('a', '\n', 'ü', '漢', '😀');
    const part = fc.array(character, { maxLength: 6 }).map((parts) => parts.join('').repeat(3000));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const output = await outputs.open(A, nextId(), 2 ** 20);
        for (const each of parts) output.write(each);
        await output.close();
        const pages = await pagesOf(output);
        expect(pages.map(({ text }) => text).join('')).toBe(parts.join(''));
        expect(pages.slice(1).map(({ from }) => from)).toEqual(pages.slice(0, -1).map(({ next }) => next));
        expect(Math.max(...pages.map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(65_536);
      }),
      { numRuns: 20 },
    );
  });

  it('that the disk does not take is dropped and counted, and whoever prints hears nothing of it', async () => {
    const output = await outputs.open(A, nextId(), 1000);
    output.write('kept');
    await expect.poll(async () => (await output.page(0, never)).next).toBe(4);
    disk.failing = 'half-write';
    output.write('lost');
    await expect.poll(() => faults.length).toBe(1);
    output.write('and this');
    expect(await output.page(0, never)).toMatchObject({ text: 'kept', dropped: 12 });
  });

  it('that cannot be opened is a fault of the storage', async () => {
    await mkdir(home.sessions);
    await writeFile(join(home.sessions, A), '');
    await expect(outputs.open(A, nextId(), 10)).rejects.toBeInstanceOf(StorageError);
  });
});
