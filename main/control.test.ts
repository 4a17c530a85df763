import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import type { Handlers } from '../app/contract/requests.ts';
import { control, type ControlOptions } from './control.ts';
import { handlersWith } from './handlers.fixture.ts';
import { MemorySource } from './pushes.fixture.ts';

const A = 's_a' as SessionId;

interface Told {
  readonly id?: unknown;
  readonly ok?: boolean;
  readonly code?: string;
  readonly output?: unknown;
  readonly push?: string;
  readonly data?: { readonly event: { readonly seq: number } };
}

/** A client in memory: lines in, lines out, each awaited as it comes. */
function serve(some: Partial<Handlers>, options: Partial<ControlOptions> = {}) {
  const source = new MemorySource();
  const input = new PassThrough();
  const output = new PassThrough();
  const steps: string[] = [];
  const faults: unknown[] = [];
  const end = new AbortController();
  const core = {
    attend: () => {
      steps.push('attend');
      return () => void steps.push('leave');
    },
    onPush: (listener: Parameters<MemorySource['onPush']>[0]) => source.onPush(listener),
    readEvents: (...at: Parameters<MemorySource['readEvents']>) => source.readEvents(...at),
    close: async () => void steps.push('close'),
  };
  const onFault = (fault: unknown) => void faults.push(fault);
  const served = control({ input, output, core, handlers: handlersWith(some), onFault, ...options }, end.signal);
  const told = output.setEncoding('utf8')[Symbol.asyncIterator]();
  let rest = '';
  /** The next line out. */
  const next = async (): Promise<Told> => {
    for (let cut = rest.indexOf('\n'); ; cut = rest.indexOf('\n')) {
      const line = rest.slice(0, Math.max(cut, 0));
      rest = rest.slice(cut + 1);
      if (cut >= 0) return JSON.parse(line) as Told;
      const chunk = await told.next();
      if (chunk.done) throw new Error('The output has ended');
      rest += String(chunk.value);
    }
  };
  const ask = (line: unknown) => void input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  return { source, input, output, core, steps, faults, end, served, next, ask };
}

const doctor = { 'doctor.run': async () => ({ checks: [] }) };

describe('a line', () => {
  it('is answered with its id and its output', async () => {
    const { ask, next } = serve(doctor);
    ask({ id: 'x', request: 'doctor.run', input: {} });
    expect(await next()).toEqual({ id: 'x', ok: true, output: { checks: [] } });
    ask({ id: 7, request: 'doctor.run' });
    expect(await next()).toEqual({ id: 7, ok: true, output: { checks: [] } });
    ask({ id: 8, request: 'no.such', input: {} });
    expect(await next()).toMatchObject({ id: 8, ok: false, code: 'unknown-request' });
    ask({ id: 9, request: 'doctor.run', input: { extra: 1 } });
    expect(await next()).toMatchObject({ id: 9, ok: false, code: 'invalid-input' });
  });

  it.each([
    ['', null],
    ['{"id":1,"request":"doctor.run"', null],
    ['[1]', null],
    ['null', null],
    ['"x"', null],
    ['{"request":"doctor.run"}', null],
    ['{"id":null,"request":"doctor.run"}', null],
    ['{"id":{},"request":"doctor.run"}', null],
    ['{"id":3}', 3],
    ['{"id":"x","request":5}', 'x'],
  ])('that is %j is a bad line, told once, and the next one is served', async (line, id) => {
    const { ask, next } = serve(doctor);
    ask(line);
    ask({ id: 'after', request: 'doctor.run' });
    expect(await next()).toMatchObject({ id, ok: false, code: 'bad-line' });
    expect(await next()).toMatchObject({ id: 'after', ok: true });
  });

  it('that is not UTF-8 is a bad line', async () => {
    const { input, ask, next } = serve(doctor);
    input.write(Buffer.concat([Buffer.from('{"id":1,"request":"doctor.run","x":"'), Buffer.from([0xc3, 0x28])]));
    ask('"}');
    ask({ id: 2, request: 'doctor.run' });
    expect(await next()).toMatchObject({ id: null, ok: false, code: 'bad-line' });
    expect(await next()).toMatchObject({ id: 2, ok: true });
  });

  it('that is too long is told once with id null and changes nothing', async () => {
    const { ask, next } = serve(doctor, { maxLine: 50 });
    ask({ id: 1, request: 'doctor.run', padding: 'x'.repeat(1000) });
    ask({ id: 2, request: 'doctor.run' });
    expect(await next()).toMatchObject({ id: null, ok: false, code: 'too-large' });
    expect(await next()).toMatchObject({ id: 2, ok: true });
  });

  it('at the end of the input counts without its newline', async () => {
    const { input, next, served } = serve(doctor);
    input.end('{"id":1,"request":"doctor.run"}');
    expect(await next()).toMatchObject({ id: 1, ok: true });
    await served;
  });
});

it('requests start in the order of their lines and are answered in the order they finish', async () => {
  const started: string[] = [];
  const slow = Promise.withResolvers<{ events: [] }>();
  const { ask, next } = serve({
    'session.events': (input) => {
      started.push(`events ${input.from}`);
      return input.from === 0 ? slow.promise : Promise.resolve({ events: [] });
    },
  });
  ask(
    [0, 1, 2]
      .map((from) => `{"id":${from},"request":"session.events","input":{"sessionId":"s_a","from":${from},"to":9}}`)
      .join('\n'),
  );
  expect([(await next()).id, (await next()).id]).toEqual([1, 2]);
  expect(started).toEqual(['events 0', 'events 1', 'events 2']);
  slow.resolve({ events: [] });
  expect((await next()).id).toBe(0);
});

it('is one line for every reader, whatever it says', async () => {
  const said = 'a\u2028b\u2029c\u0085d\ne';
  const { ask, next, output } = serve({ 'settings.get': async () => ({ revision: '1', settings: { said } }) });
  const seen = new Promise<string>((resolve) => output.once('data', resolve));
  ask({ id: 1, request: 'settings.get' });
  expect(await seen).not.toMatch(/[\u0085\u2028\u2029]/);
  ask({ id: 2, request: 'settings.get' });
  expect(await next()).toMatchObject({ output: { settings: { said } } });
});

it('an output that JSON cannot say is answered as internal', async () => {
  const { ask, next, faults } = serve({ 'doctor.run': async () => ({ checks: [1n] }) as never });
  ask({ id: 1, request: 'doctor.run' });
  expect(await next()).toMatchObject({ id: 1, ok: false, code: 'internal' });
  expect(faults).toHaveLength(1);
});

it('pushes the events of a Session that a handler follows for this door', async () => {
  const { source, ask, next } = serve({
    'session.create': async (_input, caller) => {
      caller.follow(A, 0);
      return { sessionId: A };
    },
  });
  ask({ id: 1, request: 'session.create', input: { workspace: '/w' } });
  expect(await next()).toEqual({ id: 1, ok: true, output: { sessionId: A } });
  source.chunk(A);
  source.chunk(A);
  expect([(await next()).data?.event.seq, (await next()).data?.event.seq]).toEqual([0, 1]);
});

describe('the end', () => {
  it('closes the core after the last request started, and sends what is still owed before it is done', async () => {
    const idle = Promise.withResolvers<{ reason: 'aborted' }>();
    let sent = '';
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        sent += String(chunk);
        setImmediate(done);
      },
    });
    const { source, core, input, steps, served } = serve({ 'session.idle': () => idle.promise }, { output });
    core.close = async () => {
      steps.push('close');
      for (let n = 0; n < 5; n += 1) source.notice(`bye ${n}`);
      // Settled by the closing, but not at once.
      setImmediate(() => idle.resolve({ reason: 'aborted' }));
    };
    input.end('{"id":1,"request":"session.idle","input":{"sessionId":"s_a"}}\n');
    await served;
    const lines = sent
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Told);
    expect(lines).toContainEqual({ id: 1, ok: true, output: { reason: 'aborted' } });
    expect(lines.filter((line) => line.push === 'notice')).toHaveLength(5);
    expect(steps).toEqual(['attend', 'close', 'leave']);
    expect(source.listeners).toBe(0);
  });

  it('comes with the signal while input stays open: no later line starts', async () => {
    const { ask, next, end, steps, served, input } = serve(doctor);
    ask({ id: 1, request: 'doctor.run' });
    await next();
    end.abort();
    await served;
    expect(steps).toEqual(['attend', 'close', 'leave']);
    expect(input.destroyed).toBe(true);
  });

  it('comes with a broken output: no later line starts, nothing is thrown', async () => {
    let started = 0;
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const some = { 'doctor.run': async () => ({ checks: [], count: (started += 1) }) };
    const { ask, steps, served, input } = serve(some, { output: broken });
    ask({ id: 1, request: 'doctor.run' });
    await served;
    expect(input.destroyed).toBe(true);
    expect(started).toBe(1);
    expect(steps).toEqual(['attend', 'close', 'leave']);
  });

  it('is held up by a client that does not read for no longer than the grace', async () => {
    const stuck = new Writable({ highWaterMark: 1, write: () => undefined });
    const { ask, faults, served, end, steps } = serve(doctor, { output: stuck, graceMs: 20 });
    ask({ id: 1, request: 'doctor.run' });
    end.abort();
    await served;
    expect(steps.at(-1)).toBe('leave');
    expect(faults).toHaveLength(1);
  });
});

it('a client that does not read is not read from either, once 8 MiB wait for it', async () => {
  let started = 0;
  const message = 'x'.repeat(1024 * 1024);
  const held: (() => void)[] = [];
  const output = new Writable({ write: (_chunk, _encoding, done) => void held.push(done) });
  const some = {
    'doctor.run': async () => ({ checks: [{ name: `${(started += 1)}`, ok: true, message }] }),
  };
  const { ask, end, served, input } = serve(some, { output, graceMs: 20 });
  for (let id = 0; id < 100; id += 1) {
    ask({ id, request: 'doctor.run' });
    // Each line is served before the next comes, as long as lines are served at all.
    await new Promise(setImmediate);
  }
  expect(started).toBeLessThan(15);
  expect(input.readableLength).toBeGreaterThan(0);
  end.abort();
  await served;
});
