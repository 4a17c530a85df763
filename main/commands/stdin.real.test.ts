import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Text } from '../../app/base/text.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { CommandRequest } from '../../app/tool/ports.ts';
import { createWorld, never, session, type World } from '../sandbox/world.fixture.ts';
import { ConfinedCommands } from './commands.ts';

let world: World;
let commands: ConfinedCommands;

beforeAll(() => {
  world = createWorld();
  const keep = async (_: unknown, text: string): Promise<Text> => ({ text, bytes: text.length, dropped: 0, blob: 'b' });
  commands = new ConfinedCommands({ confiner: world.provider, keep, path: process.env['PATH'] ?? '' });
});
afterAll(() => world.remove());

async function run(shell: string, mode: Mode, more: Partial<CommandRequest>) {
  const request = { run: { shell }, cwd: world.workspace, timeoutMs: 60_000, ...more };
  const running = await commands.start(request, { sessionId: session('c1'), policy: world.policy(mode) }, never);
  if (running.kind !== 'running') throw new Error(running.message);
  return (await running.done).facts;
}

describe.each<Mode>(['workspace-write', 'danger-full-access'])('a command under %s', (mode) => {
  it('reads what it is given to its end, byte for byte', async () => {
    const stdin = 'ä \0 "line"\n'.repeat(40_000);
    const { exitCode } = await run('cat > given', mode, { stdin });
    expect(exitCode).toBe(0);
    expect(await readFile(join(world.workspace, 'given'), 'utf8')).toBe(stdin);
  });

  it('need not read it: it ends as it would without', async () => {
    expect(await run('exit 3', mode, { stdin: 'x'.repeat(4_000_000) })).toMatchObject({ exitCode: 3, left: 0 });
  });

  it('has nothing to read where nothing is given, and the variables it is given', async () => {
    const { output } = await run('cat; echo "$GIVEN"', mode, { env: { GIVEN: 'a b' } });
    expect(output.text).toBe('a b\n');
  });
});
