import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TOOL_VALUES } from '../app/ptc/values.ts';
import { createWorld, program, type World } from './core.fixture.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** What the TypeScript compiler says of a program under these declarations; nothing when it is right. */
async function complaints(declarations: string, code: string): Promise<string> {
  await writeFile(join(world.folder, 'tools.d.ts'), declarations);
  await writeFile(join(world.folder, 'program.ts'), `${code}\nexport {};\n`);
  const flags = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'esnext', '--types', ''];
  const { stdout } = spawnSync(process.execPath, [COMPILER, ...flags, 'tools.d.ts', 'program.ts'], {
    cwd: world.folder,
    encoding: 'utf8',
  });
  return stdout.trim();
}

const PROGRAM = `const { text, lines } = await tools.read({ path: 'a.txt', limit: 2 });
  const written: boolean = (await tools.write({ path: 'b.txt', content: text })).created;
  const { diff } = await tools.edit({ path: 'b.txt', old: 'one', new: 'two' });
  const [first = ''] = (await tools.glob({ pattern: '*.txt' })).paths;
  const places = (await tools.grep({ pattern: 'one', literal: true })).matches.map(({ path, line }) => path + line);
  const { exitCode, output } = await tools.bash({ command: 'echo on', timeoutMs: 5000 });
  try { await tools.read({ path: 'none' }) } catch (error) { if (error instanceof ToolError) display(error.code.length) }
  const shown: readonly (string | number | boolean | null)[] = [text, lines, written, diff, first, places.join(), exitCode, output.text];`;

it('declares for the compiler exactly what the tools in force take and give', { timeout: 60_000 }, async () => {
  const { id } = await world.turns([]);
  const { text } = await world.request('tool.declarations', { sessionId: id });
  expect(text).toBe((await world.request('tool.declarations', { sessionId: id })).text);
  expect(await complaints(text, PROGRAM)).toBe('');
  const wrong = `await tools.read({ file: 'a.txt' });
await tools.run_code({ code: '1' });
const count: number = (await tools.glob({ pattern: '*' })).paths;
await tools.bash({ command: 'true', escalate: { to: 'everything', justification: 'x' } });`;
  const told = await complaints(text, wrong);
  expect(told.match(/program\.ts\(\d+,\d+\): error/g)).toHaveLength(4);
  for (const line of [1, 2, 3, 4]) expect(told).toContain(`program.ts(${line},`);
});

it('declares what calls of real tools resolve to', async () => {
  await writeFile(join(world.workspace, 'a.txt'), 'one\ntwo\n');
  const code = `const glob = await tools.glob({ pattern: '*.txt' });
    const values = [['glob', glob], ['grep', await tools.grep({ pattern: 'one' })], ['read', await tools.read({ path: 'a.txt' })],
      ['write', await tools.write({ path: 'b.txt', content: 'one' })], ['edit', await tools.edit({ path: 'b.txt', old: 'one', new: 'two' })],
      ['bash', await tools.bash({ command: 'echo on' })]]; values`;
  const session = await world.turns([[program('a', code)]]);
  const { value } = await session.one();
  const values = value as [string, unknown][]; // As the program made it.
  expect(values.map(([name]) => name)).toEqual(['glob', 'grep', 'read', 'write', 'edit', 'bash']);
  for (const [name, each] of values)
    expect(TOOL_VALUES.get(name)?.safeParse(each), name).toMatchObject({ success: true });
});
