import { describe, expect, it } from 'vitest';
import type { FileFailure, Files } from '../ports.ts';
import { factsOf, ScriptedCommands } from './commands.fixture.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { Records } from './records.ts';
import { parseRecord } from './rgRecord.ts';
import { confinement, policyOf, RecordingRun } from './toolRun.fixture.ts';

const never = new AbortController().signal;
const folder: FileFailure = { kind: 'not-a-file', path: '/ws' };

function session(found: FileFailure = folder) {
  const commands = new ScriptedCommands();
  const run = new RecordingRun(confinement(policyOf('read-only', '/ws')));
  const files: Files = {
    locate: async () => folder,
    read: async () => found,
    replace: async () => folder,
  };
  const ripgrep = { commands, rgPath: '/rg' };
  const [glob, grep] = [globTool(files, ripgrep), grepTool(files, ripgrep)];
  return {
    commands,
    run,
    prints: (out: string, facts = factsOf(), err = '') => {
      commands.onStart = ({ onOutput }, end) => {
        if (err) onOutput?.('stderr', err);
        onOutput?.('stdout', out);
        end({ facts, hints: [] });
      };
    },
    glob: (asked: object) => glob.run(glob.input.parse(asked), run, never),
    grep: (asked: object) => grep.run(grep.input.parse(asked), run, never),
  };
}

const match = (path: string, line: number, text: string, type = 'match') =>
  `${JSON.stringify({ type, data: { path: { text: path }, lines: { text }, line_number: line, submatches: [] } })}\n`;

describe('glob', () => {
  it('sorts what matches and leaves the rest out', async () => {
    const { glob, prints } = session();
    prints('/ws/b.ts\0/ws/a/c.ts\0/ws/a.js\0/ws/a-b.ts\0');
    expect(await glob({ pattern: '*.ts' })).toMatchObject({
      content: 'a-b.ts\na/c.ts\nb.ts',
      value: { paths: ['a-b.ts', 'a/c.ts', 'b.ts'], truncated: false },
    });
    expect(await glob({ pattern: '*.ts', limit: 2 })).toMatchObject({
      value: { paths: ['a-b.ts', 'a/c.ts'], truncated: true },
    });
    expect(await glob({ pattern: '*.py' })).toMatchObject({ status: 'ok', content: 'No files match.' });
  });

  it('names no file that could not be asked for', async () => {
    const { glob, prints } = session();
    prints('/ws/\ufffd.ts\0/ws/a\nb.ts\0');
    expect((await glob({ pattern: '*' })).value).toEqual({ paths: ['a\nb.ts'], truncated: false });
  });
});

describe('grep', () => {
  it('passes what was asked for and nothing that could be taken for an option', async () => {
    const { grep, commands, prints } = session();
    prints('');
    await grep({ pattern: '--pre=evil', literal: true, ignoreCase: true, context: 2, glob: '*.{ts,js}' });
    const [{ run } = { run: { shell: '' } }] = commands.requests;
    const argv = 'argv' in run ? run.argv : [];
    expect(argv).toContain('--regexp=--pre=evil');
    expect(argv.join(' ')).toContain('--fixed-strings --ignore-case --context=2 --type-add wanted:*.ts');
    expect(argv.slice(-2)).toEqual(['--', '/ws']);
  });

  it('gives matches back with their place, context only in the text', async () => {
    const { grep, prints } = session();
    prints(match('/ws/a', 1, 'before\n', 'context') + match('/ws/a', 2, 'hit\r\n') + '{"type":"summary","data":{}}\n');
    expect(await grep({ pattern: 'x', context: 1 })).toMatchObject({
      content: 'a-1-before\na:2:hit',
      value: { matches: [{ path: 'a', line: 2, text: 'hit' }], truncated: false },
    });
  });

  it('ends the search when it has enough, quietly', async () => {
    const { grep, commands, run } = session();
    commands.onStart = ({ onOutput }) =>
      onOutput?.('stdout', match('/ws/a', 1, 'x') + match('/ws/a', 2, 'y') + match('/ws/b', 3, 'z'));
    const done = await grep({ pattern: 'x', limit: 2 });
    expect(done).toMatchObject({ status: 'ok', value: { truncated: true } });
    expect((done.value as { matches: unknown[] }).matches).toHaveLength(2);
    expect(commands.closed).toBe(1);
    expect(run.ended).toEqual([]);
  });

  it('1-e: cuts a long line between two characters', async () => {
    const { grep, prints } = session();
    prints(match('/ws/a', 1, `${'x'.repeat(499)}😀😀`));
    const { matches } = (await grep({ pattern: 'x' })).value as { matches: { text: string }[] };
    expect(matches[0]?.text).toBe(`${'x'.repeat(499)}…`);
  });

  it('gives the message back when the pattern is wrong, and not when a folder could not be read', async () => {
    const { grep, prints } = session();
    prints('', factsOf({ exitCode: 2 }), 'rg: regex parse error:\n  unclosed group\n');
    expect(await grep({ pattern: '(' })).toMatchObject({
      status: 'failed',
      code: 'invalid-input',
      content: expect.stringContaining('unclosed') as string,
    });
    prints(match('/ws/a', 1, 'x'), factsOf({ exitCode: 2 }));
    expect(await grep({ pattern: 'x' })).toMatchObject({ status: 'ok' });
    prints('', factsOf({ exitCode: 1 }));
    expect(await grep({ pattern: 'x' })).toMatchObject({ status: 'ok', content: 'No matches.' });
  });

  it('does not take an answer for true that is not understood', async () => {
    const { grep, prints } = session();
    prints('{"type":"match","data":{}}\n');
    await expect(grep({ pattern: 'x' })).rejects.toThrow('could not be read');
  });

  it.each([
    [{ timedOut: true, cancelled: true }, 'timeout'],
    [{ limit: 'output' }, 'output-limit'],
    [{ cancelled: true }, 'stopped'],
  ] as const)('does not pass off as complete what ended by %j', async (facts, code) => {
    const { grep, prints } = session();
    prints(match('/ws/a', 1, 'x'), factsOf({ exitCode: null, ...facts }));
    expect(await grep({ pattern: 'x' })).toMatchObject({ code });
  });

  it.each(['temp', 'output'] as const)(
    'takes what came to its own end for complete, %s limit or not',
    async (limit) => {
      const { grep, glob, prints } = session();
      prints(match('/ws/a', 1, 'x'), factsOf({ limit }));
      expect(await grep({ pattern: 'x' })).toMatchObject({ status: 'ok', content: 'a:1:x' });
      prints('/ws/a\0', factsOf({ limit }));
      expect(await glob({ pattern: '*' })).toMatchObject({ status: 'ok', content: 'a' });
    },
  );

  it('2-g: says that the workspace is missing', async () => {
    const { grep, glob, commands } = session({ kind: 'workspace-missing', path: '/ws' });
    expect(await grep({ pattern: 'x' })).toMatchObject({
      status: 'refused',
      code: 'workspace-missing',
      content: expect.stringContaining('/ws') as string,
    });
    expect(await glob({ pattern: 'x' })).toMatchObject({ code: 'workspace-missing' });
    expect(commands.requests).toEqual([]);
  });
});

describe('records', () => {
  const all = (pieces: readonly string[]) => {
    const records: string[] = [];
    const reader = new Records({
      separator: '\n',
      onRecord: (record) => {
        records.push(record.length > 20 ? `${record.length}` : record);
        return 'more';
      },
    });
    for (const piece of pieces) reader.take(piece);
    return records;
  };

  it('are the same however the stream was cut', () => {
    const text = 'one\ntwo\n\nthree\nfo';
    expect(all([text])).toEqual(['one', 'two', 'three']);
    expect(all(Array.from(text))).toEqual(['one', 'two', 'three']);
  });

  it('leave one out that is too long, and nothing else', () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    expect(all(['a\n', long, long, 'rest\nb\n'])).toEqual(['a', 'b']);
  });
});

describe('a record of ripgrep', () => {
  it('is read as Latin-1 where it is no UTF-8', () => {
    const json = '{"type":"match","data":{"path":{"text":"f"},"lines":{"bytes":"aOlsbG8K"},"line_number":1}}';
    expect(parseRecord(json)).toMatchObject({ text: 'héllo' });
  });

  it('is left out where its path is no UTF-8', () => {
    const json = '{"type":"match","data":{"path":{"bytes":"aOk="},"lines":{"text":"x"},"line_number":1}}';
    expect(parseRecord(json)).toBeUndefined();
  });
});
