import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertGone, command, processesOf, program } from './core.fixture.ts';
import { signalTo } from './process/identity.ts';
import type { Result } from '../app/tool/result.ts';

const CLI = join(import.meta.dirname, 'cli.ts');
const TYPED = 'typed-at-the-terminal';

let folder: string;
let app: ChildProcessByStdio<Writable, Readable, null> | undefined;
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-terminal-');
  await mkdir(join(folder, 'repo'));
});
afterEach(async () => {
  app?.kill('SIGKILL');
  for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});

/** What looks at its input or at the terminal. Each shows what it got, and is over at once, or the turn is not. */
const TTY = `const fs = require('fs'); let got = 'none';
try { got = fs.readSync(fs.openSync('/dev/tty', 'r+'), Buffer.alloc(9)) } catch (fault) { got = fault.code }
[got, fs.readFileSync(0, 'utf8'), process.stdin.isTTY ?? false]`;
const LOOKS = [
  command('cat', 'cat'),
  command('interpreter', 'node; echo "node $?"; sh; echo "sh $?"'),
  command('read', 'read -r line; echo "read $? [$line]"'),
  command('script', 'sh ./opens.sh; echo "script $?"'),
  command('terminal', 'tty; ps -o tty= -p $$ 2>/dev/null || true; exec 9<>/dev/tty'),
  program('program', TTY),
];

/** How the app is started, given its command line. */
const STARTS = {
  'without a terminal': (line: readonly string[]) => ['setsid', '--wait', ...line],
  // The app leads a session of its own on a new terminal, and inherits that as its input and output.
  'from a terminal': (line: readonly string[]) => ['script', '-qec', line.map(quote).join(' '), '/dev/null'],
};

describe.each(['workspace-write', 'danger-full-access'])('3-c: in an app under %s', (preset) => {
  it.each(Object.entries(STARTS))(
    'that was started %s, nothing that looks at its input waits for it, or reaches a terminal',
    async (_how, startOf) => {
      const results = await resultsOf(startOf, preset);
      expect(results['cat']).toMatchObject({ status: 'ok', facts: { exitCode: 0, output: { text: '', bytes: 0 } } });
      expect(results['interpreter']).toMatchObject({ facts: { output: { text: 'node 0\nsh 0\n' } } });
      expect(results['read']).toMatchObject({ facts: { output: { text: 'read 1 []\n' } } });
      expect(results['script']).toMatchObject({
        facts: { output: { text: expect.stringMatching(/^script [1-9]\d*$/m) } },
      });
      expect(results['terminal']?.facts?.output.text).toMatch(/^not a tty\n/);
      expect(results['terminal']?.facts?.exitCode).not.toBe(0);
      expect(results['program']).toMatchObject({ status: 'ok', value: [expect.stringMatching(/^E/), '', false] });
      expect(JSON.stringify(results)).not.toContain(TYPED);
    },
    60_000,
  );
});

/** One headless run whose input stays open all the while, with a line typed into it. */
async function resultsOf(
  startOf: (line: readonly string[]) => readonly string[],
  preset: string,
): Promise<Readonly<Record<string, Result>>> {
  const [script, workspace] = [join(folder, 'script.json'), join(folder, 'repo')];
  await writeFile(script, JSON.stringify({ answers: [{ calls: LOOKS }, { text: 'Done.' }] }));
  await writeFile(join(workspace, 'opens.sh'), 'read -r line < /dev/tty && echo "got $line"\n');
  const line = [process.execPath, CLI, 'run', '--agent', `script:${script}`, '--workspace', workspace];
  const [name = '', ...rest] = startOf([...line, '--preset', preset, '--json']);
  app = spawn(name, rest, {
    env: { ...process.env, GATEHOUSE_HOME: join(folder, 'home') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  app.stdin.write(`${TYPED}\n`);
  let told = '';
  app.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  const [code] = (await once(app, 'close')) as [number | null];
  expect(code).toBe(0);
  return Object.fromEntries(told.split(/\r?\n/).flatMap(resultIn));
}

function resultIn(line: string): [string, Result][] {
  // The terminal echoes what is typed; everything else is one JSON text a line.
  if (!line.startsWith('{')) return [];
  const { event } = JSON.parse(line) as { event: { type: string; data: Result } }; // What `--json` prints.
  return event.type === 'tool/result' ? [[event.data.callId, event.data]] : [];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
