import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { identityOf } from '../process/identity.ts';
import { describeHost } from './description.ts';

/** The kernel tells the start of the machine in whole seconds. */
const ROUNDED_MS = 1_500;
const TICK_MS = 10;

it('a window can tell from it at what time a process was started', async () => {
  const { bootTime = 0 } = describeHost('browser', { canPickFolder: false });
  const before = Date.now();
  const child = spawn('sleep', ['60']);
  try {
    await once(child, 'spawn');
    const started = bootTime + Number(identityOf(child.pid ?? 0)?.startTime) * TICK_MS;
    expect(started).toBeGreaterThan(before - ROUNDED_MS);
    expect(started).toBeLessThan(Date.now() + ROUNDED_MS);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
