import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ParsingThread } from './parsingThread.ts';
import { realTimers } from './timers.ts';
import { NEVER } from './world.fixture.ts';

let folder = '';
let thread: ParsingThread | undefined;
afterEach(async () => {
  await thread?.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['throw new Error("idle")', 'process.exit(3)'])('is known to be dead when it died idle: %s', async (death) => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-parsing-'));
  const script = join(folder, 'dying.mjs');
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      parentPort.postMessage({ kind: 'syntax', message, line: 1, column: 1 });
      setImmediate(() => { ${death} });
    });`,
  );
  thread = new ParsingThread({ script, timers: realTimers, parseMs: 120_000 });
  expect(await thread.parse('a', NEVER)).toMatchObject({ message: 'a' });
  await vi.waitFor(() => expect(thread?.isGood).toBe(false), 20_000);
});
