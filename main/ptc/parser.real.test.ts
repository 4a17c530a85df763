import { afterEach, describe, expect, it, vi } from 'vitest';
import { LONGEST_PROGRAM, ProgramParser } from './parser.ts';
import type { Timers } from './timers.ts';
import { NEVER } from './world.fixture.ts';

const scripts = import.meta.dirname;
const long = (end: string): string => `${'var unused;\n'.repeat(10_000)}${end}`;
/** What no thread has parsed before a time is up that has passed already. */
const IMPATIENT: Timers = { now: () => 0, after: (_ms, job) => (job(), () => undefined) };

/** The time that this takes to strip doubles with each more. */
const endless = (times: number): string => `let z: number = ${'async<T>(a='.repeat(times)}b${')'.repeat(times)}`;

/** A busy machine may take its time. */
const PATIENT = { scripts, parseMs: 120_000 };
let parser = new ProgramParser(PATIENT);
afterEach(async () => {
  await parser.close();
  parser = new ProgramParser(PATIENT);
});

describe('parsing', () => {
  it.each([
    ['short', ''],
    ['long', long('')],
  ])('of a %s program gives what the kernel evaluates', async (_name, before) => {
    expect(await parser.parse(`${before}const a: number = 1; return a`, NEVER)).toMatchObject({
      kind: 'program',
      wrapped: true,
      names: expect.arrayContaining(['a']),
      source: expect.stringContaining('a         = 1'),
    });
    expect(await parser.parse(`${before}let d = 1; let d = 2`, NEVER)).toMatchObject({
      kind: 'syntax',
      message: "Identifier 'd' has already been declared",
    });
  });

  it('of 100,000 declarations lets everything else go on meanwhile', async () => {
    const code = Array.from({ length: 100_000 }, (_, at) => `var a${at};`).join('');
    let turns = 0;
    let over = false;
    const count = () => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    const parsing = parser.parse(code, NEVER).finally(() => (over = true));
    count();
    expect(await parsing).toMatchObject({ kind: 'program' });
    // In the same thread it would be one turn or two.
    expect(turns).toBeGreaterThan(50);
  });

  it('refuses what is nested too deeply, and goes on stripping types after it', async () => {
    const deep = ['('.repeat(5_000), '!'.repeat(50_000), 'if(a)'.repeat(20_000), 'a<'.repeat(5_000)];
    deep.push(`${'['.repeat(50_000)}${']'.repeat(50_000)}`, `let x: ${'('.repeat(100_000)}`);
    for (const code of deep) expect(await parser.parse(code, NEVER)).toMatchObject({ kind: 'syntax' });
    expect(await parser.parse('const a: number = 1; return a', NEVER)).toMatchObject({
      source: expect.stringContaining('a         = 1'),
    });
    expect(await parser.parse('enum X { A }', NEVER)).toMatchObject({
      message: expect.stringContaining('enum is not supported'),
    });
    expect(await parser.parse('let d = 1; let d = 2', NEVER)).toMatchObject({ line: 1, column: 16 });
  });

  it('of a small program whose types take a lifetime to strip is elsewhere, and given up at once', async () => {
    const controller = new AbortController();
    const parsing = parser.parse(endless(18), controller.signal);
    const reason = new Error('given up');
    controller.abort(reason);
    await expect(parsing).rejects.toBe(reason);
  });

  it('refuses what its thread is still stripping when the time is over, and strips the next one', async () => {
    const jobs: (() => void)[] = [];
    const timers: Timers = { now: () => 0, after: (_ms, job) => (jobs.push(job), () => undefined) };
    const stopped = new ProgramParser({ scripts, timers });
    try {
      const parsing = stopped.parse(endless(40), NEVER);
      await vi.waitFor(() => expect(jobs).toHaveLength(1));
      // It strips by then, or it starts: both are given up.
      setTimeout(() => jobs[0]?.(), 1000);
      expect(await parsing).toMatchObject({ kind: 'syntax', message: expect.stringContaining('longer than 10 s') });
      expect(await stopped.parse('const a: number = 1; return a', NEVER)).toMatchObject({ kind: 'program' });
    } finally {
      await stopped.close();
    }
  });

  it.each(['a?(b):c=>(e)=>', '(', '[', '{', 'a:', 'if(a)'])('of %j without end lets the loop turn', async (part) => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await parser.parse(part.repeat(100_000), NEVER).finally(() => clearInterval(counting));
    expect(turns).toBeGreaterThan(1);
  });

  it('refuses a source that takes too long, and goes on with the next one', async () => {
    const impatient = new ProgramParser({ scripts, timers: IMPATIENT });
    try {
      expect(await impatient.parse(long('1'), NEVER)).toEqual({
        kind: 'syntax',
        message: 'The program takes longer than 10 s to parse. Nest it less, or run it in parts.',
        line: 1,
        column: 1,
      });
      expect(await impatient.parse('1', NEVER)).toMatchObject({ kind: 'program' });
    } finally {
      await impatient.close();
    }
  });

  it('refuses a source that is longer than any program, with what to do', async () => {
    expect(await parser.parse(' '.repeat(LONGEST_PROGRAM + 1), NEVER)).toMatchObject({
      kind: 'syntax',
      message: expect.stringMatching(/too large.*4194305 characters.*into a file/),
    });
  });

  it('is given up by its own call alone', async () => {
    const controller = new AbortController();
    const given = parser.parse(long('1'), controller.signal);
    const waiting = parser.parse(long('2'), controller.signal);
    const next = parser.parse(long('3'), NEVER);
    const reason = new Error('given up');
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await next).toMatchObject({ kind: 'program' });
  });

  it('ends with its parser: what is under way rejects, and nothing is begun any more', async () => {
    const parsing = parser.parse(long('1'), NEVER).catch((fault: Error) => fault.message);
    await parser.close();
    expect(await parsing).toContain('closed');
    await expect(parser.parse(long('2'), NEVER)).rejects.toThrow('closed');
    expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
  });
});
