import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requests, type Handlers } from '../app/contract/requests.ts';
import { control } from './control.ts';
import { chunksOf, fuzzLine, owed, type FuzzLine } from './controlFuzz.fixture.ts';
import { MemorySource } from './pushes.fixture.ts';

const LIMIT = 6_000;
const AFTER = Buffer.from('{"id":"after","request":"doctor.run","input":{}}');

interface Told {
  readonly id: string | number | null;
  readonly ok: boolean;
  readonly code?: string;
}

/** Every request succeeds, a moment later: whatever goes wrong is the door's own doing. */
function handlers(): Handlers {
  const later = () => new Promise((resolve) => setImmediate(() => resolve({})));
  return Object.fromEntries(Object.keys(requests).map((name) => [name, later])) as unknown as Handlers;
}

/** One connection from its first byte to its end: what was told, and what the product thought was its own fault. */
async function serve(
  chunks: readonly Buffer[],
  maxLine = LIMIT,
): Promise<{ told: readonly Told[]; faults: readonly unknown[] }> {
  const source = new MemorySource();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const faults: unknown[] = [];
  const core = {
    attend: () => () => undefined,
    onPush: (listener: Parameters<MemorySource['onPush']>[0]) => source.onPush(listener),
    readEvents: (...at: Parameters<MemorySource['readEvents']>) => source.readEvents(...at),
    close: async () => undefined,
  };
  const said = text(output);
  const options = { input, output, core, handlers: handlers(), maxLine };
  const onFault = (fault: unknown) => void faults.push(fault);
  const served = control({ ...options, onFault }, new AbortController().signal);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  output.end();
  const lines = (await said).split('\n').slice(0, -1);
  return { told: lines.map((line) => JSON.parse(line) as Told), faults };
}

/** Replies may come in any order; `-0` is said as 0. */
function sorted(ids: readonly (string | number | null)[]): readonly string[] {
  return ids.map((id) => JSON.stringify(id)).toSorted();
}

it('whatever lines come, each is answered exactly once with its id, and the next request is served', async () => {
  const run = fc.asyncProperty(
    fc.array(fuzzLine, { maxLength: 12 }),
    fc.integer({ min: 1, max: 5_000 }),
    async (lines, size) => {
      const all = [...lines, AFTER];
      const { told, faults } = await serve(chunksOf(all, size));
      expect(sorted(told.map(({ id }) => id))).toEqual(sorted(all.map((line) => owed(line, LIMIT))));
      expect(told).toContainEqual(expect.objectContaining({ id: 'after', ok: true }));
      // Nothing a client says is a fault of ours, and every refusal says why.
      expect([faults, told.filter(({ ok, code }) => !ok && (code === undefined || code === 'internal'))]).toEqual([
        [],
        [],
      ]);
      expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
    },
  );
  await fc.assert(run, { numRuns: 250 });
});

it.each<[string, string]>([
  ['100,000 lists', `{"id":1,"request":"settings.set","input":{"revision":"r","changes":{"a":${deep('[', ']')}}}}`],
  [
    '100,000 objects',
    `{"id":1,"request":"settings.set","input":{"revision":"r","changes":{"a":${deep('{"a":', '}')}}}}`,
  ],
  ['a nest as the whole input', `{"id":1,"request":"session.list","input":${deep('[', ']')}}`],
  ['a nest beside the request', `{"id":1,"request":"doctor.run","extra":${deep('{"a":', '}')}}`],
])('%s in each other are answered and not a fault', async (_name, line) => {
  const { told, faults } = await unlimited([Buffer.from(line), AFTER]);
  expect(sorted(told.map(({ id }) => id))).toEqual(sorted([1, 'after']));
  expect([faults, told.find(({ code }) => code === 'internal')]).toEqual([[], undefined]);
});

function deep(open: string, close: string): string {
  return `${open.repeat(100_000)}1${close.repeat(100_000)}`;
}

async function unlimited(lines: readonly FuzzLine[]) {
  return await serve(chunksOf(lines, 65_536), 16 * 1024 * 1024);
}
