import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../app/base/json.ts';
import { DEFAULT_BUDGETS } from './budgets.ts';
import { Channel, FRAME_LIMIT } from './channel.ts';
import type { KernelFrame } from './frames.ts';
import { ProgramRun } from './programRun.ts';

interface Heard {
  readonly frames: readonly KernelFrame[];
  readonly broken: readonly string[];
}

/** What a host hears of these pieces. */
function hear(pieces: readonly Uint8Array[]): Heard {
  const heard: { frames: KernelFrame[]; broken: string[]; late: number } = { frames: [], broken: [], late: 0 };
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  new Channel(stream, {
    frame: (frame) => {
      heard.frames.push(frame);
      heard.late += heard.broken.length;
    },
    broken: (why) => void heard.broken.push(why),
  });
  for (const piece of pieces) stream.emit('data', Buffer.from(piece));
  expect(heard.broken.length).toBeLessThanOrEqual(1);
  expect(heard.late).toBe(0);
  return heard;
}

const bytesOf = (text: string): Buffer => Buffer.from(text);
const byByte = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  return sorted.slice(1).map((end, at) => bytes.subarray(sorted[at], end));
}

const OWN = [
  't',
  'cell',
  'token',
  'call',
  'tool',
  'value',
  'kind',
  'text',
  'stream',
  'n',
  'active',
  'name',
  'message',
  'stack',
  'unchanged',
  'inert',
];
const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', 'hasOwnProperty'];
const key = fc.oneof(fc.constantFrom(...OWN), fc.constantFrom(...HOSTILE), fc.string());
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 1e308, Number.MAX_SAFE_INTEGER + 2, -1, 0.5));
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('done', 'call', 'log', 'value', 'x\ud800'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const cell = fc.nat(5);
const token = fc.constantFrom('', 'guess', 'token');
const text = fc.string({ unit: 'grapheme' });
/** Frames as a kernel sends them, or nearly. */
const frame = fc.oneof(
  fc.record({ t: fc.constant('ready') }),
  fc.record({
    t: fc.constant('pong'),
    n: fc.nat(),
    active: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ t: fc.constant('log'), cell, stream: fc.constantFrom('stdout', 'stderr', 'log'), text }),
  fc.record({ t: fc.constant('display'), cell, value }),
  fc.record({ t: fc.constant('late'), cell, text }),
  fc.record({ t: fc.constant('call'), cell, token, call: fc.nat(4), tool: fc.constantFrom('echo', ...HOSTILE), value }),
  fc.record({
    t: fc.constant('done'),
    cell,
    token,
    kind: fc.constantFrom('value', 'inspected', 'stopped'),
    value,
    text,
  }),
  fc.record({
    t: fc.constant('done'),
    cell,
    token,
    kind: fc.constant('exception'),
    name: text,
    message: text,
    stack: text,
    unchanged: fc.array(text),
  }),
  fc.record({ t: fc.constant('reply'), call: fc.nat(4), ok: fc.boolean(), value }),
);
/** A line with one piece of it replaced. */
const mutated = fc
  .tuple(
    fc.oneof(frame, value).map((each) => JSON.stringify(each) ?? ''),
    fc.nat(),
    fc.nat(8),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  .map(([line, at, removed, put]) => {
    const place = at % (line.length + 1);
    return line.slice(0, place) + put + line.slice(place + removed);
  });
const line = fc.oneof(
  frame.map((each) => JSON.stringify(each)),
  mutated,
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '{"t":"pong","n":1,"active":1e999}',
    '{"t":"late","cell":9007199254740993,"text":""}',
    '{"t":"ready","t":"done"}',
  ),
);
const lines = fc.array(line, { maxLength: 6 }).map((each) => bytesOf(each.map((one) => `${one}\n`).join('')));
const raw = fc.uint8Array({ maxLength: 200 });

describe('a channel, whatever it is sent,', () => {
  it('says the same of the same bytes, in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.oneof(lines, raw), fc.array(fc.nat(), { maxLength: 8 }), (bytes, places) => {
        const whole = hear([bytes]);
        expect(hear(cutAt(bytes, places))).toEqual(whole);
        expect(hear(byByte(bytes))).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });

  it('tells only frames that have exactly their own members, each of its type, and changes no prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted();
    fc.assert(
      fc.property(lines, (bytes) => {
        for (const each of hear([bytes]).frames) expect(misfit(each)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(before);
  });

  it('is broken by nesting of any kind that is too deep, and by a line of 16 MiB as soon as it is past the cap', () => {
    const deep = fc.tuple(fc.constantFrom('[', '{"a":', '[{"a":['), fc.integer({ min: 300, max: 50_000 }));
    fc.assert(
      fc.property(deep, ([open, count]) => {
        const { frames, broken } = hear([
          bytesOf(`{"t":"display","cell":1,"value":${open.repeat(count)}\n{"t":"ready"}\n`),
        ]);
        expect([frames, broken]).toEqual([[], ['it sent a malformed frame']]);
      }),
      { numRuns: 30 },
    );
    const pieces = Array.from({ length: 64 }, () => Buffer.alloc(256 * 1024, 0x20));
    const most = FRAME_LIMIT / (256 * 1024);
    expect(hear(pieces.slice(0, most)).broken).toEqual([]);
    expect(hear(pieces.slice(0, most + 1)).broken).toEqual(['it sent a frame that is too large']);
    expect(hear([...pieces, bytesOf('\n{"t":"ready"}\n')])).toMatchObject({ frames: [], broken: [expect.any(String)] });
  });
});

describe('a program', () => {
  it('whose token is not known gets no call and no result by any frame, and its own end is still its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 4 }), async (sent) => {
        const calls: unknown[] = [];
        const run = programRun((tool, input) => calls.push([tool, input]));
        const answers = hear(sent).frames.flatMap((each) =>
          each.t === 'call' ? [run.call(each)] : each.t === 'done' ? [run.done(each)] : [],
        );
        expect(answers.filter((answer) => answer?.includes('forged') !== true)).toEqual([]);
        expect(calls).toEqual([]);
        expect(run.done({ t: 'done', cell: 1, token: 'secret', kind: 'value', value: 'own' })).toBeUndefined();
        expect(await run.ended).toMatchObject({ value: 'own' });
      }),
      { numRuns: 300 },
    );
  });

  it('makes one call a number, in rising order, and reaches no tool by a name that it was not offered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(6), fc.constantFrom('echo', ...HOSTILE)), { maxLength: 12 }),
        async (asked) => {
          const calls: string[] = [];
          const run = programRun((tool) => calls.push(tool));
          let last = 0;
          const good: string[] = [];
          for (const [call, tool] of asked) {
            const refused = run.call({ t: 'call', cell: 1, token: 'secret', call, tool, value: null });
            expect(refused === undefined).toBe(call > last);
            if (call > last && tool === 'echo') good.push(tool);
            last = Math.max(last, call);
          }
          expect(calls).toEqual(good);
          run.silence();
        },
      ),
      { numRuns: 300 },
    );
  });
});

function programRun(called: (tool: string, input: Json) => unknown): ProgramRun {
  return new ProgramRun({
    cell: 1,
    token: 'secret',
    budgets: DEFAULT_BUDGETS,
    timers: { now: () => 0, after: () => () => undefined },
    bridge: {
      tools: ['echo'],
      call: async (tool, input) => (called(tool, input), { ok: true, value: input }),
      log: () => undefined,
      display: () => undefined,
    },
    send: () => undefined,
    exceeded: () => undefined,
  });
}

const RUN = { cell: isCount, token: isText };
const DONE = { t: isText, ...RUN, kind: isText };
const SHAPES: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  ready: { t: isText },
  pong: { t: isText, n: isCount, active: (value) => typeof value === 'number' && value >= 0 && value < Infinity },
  log: { t: isText, cell: isCount, stream: isText, text: isText },
  display: { t: isText, cell: isCount, value: isJson },
  late: { t: isText, cell: isCount, text: isText },
  call: { t: isText, ...RUN, call: isCount, tool: isText, value: isJson },
  'done value': { ...DONE, value: isJson },
  'done inspected': { ...DONE, text: isText },
  'done stopped': { ...DONE, inert: (value) => typeof value === 'boolean' },
  'done exception': {
    ...DONE,
    name: isText,
    message: isText,
    stack: isText,
    unchanged: (value) => Array.isArray(value) && value.every(isText),
  },
};

/** What of a frame is not as it must be. */
function misfit(frame: KernelFrame): string | undefined {
  const shape = SHAPES[frame.t === 'done' ? `done ${frame.kind}` : frame.t];
  if (!shape || Object.getPrototypeOf(frame) !== Object.prototype) return `no frame ${frame.t}`;
  const members = Object.entries(frame);
  if (members.length !== Object.keys(shape).length) return `other members: ${Object.keys(frame).join()}`;
  return members.find(([name, member]) => !shape[name]?.(member))?.[0];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed();
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isJson(value: unknown): boolean {
  return (
    JSON.stringify(value) !== undefined && JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value)
  );
}
