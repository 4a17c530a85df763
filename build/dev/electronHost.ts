import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyBesides } from '../bundle/besides.ts';
import { preloadConfig, programConfig } from '../bundle/programs.ts';
import { stampPath } from '../bundle/stamp.ts';
import { write } from '../bundle/write.ts';
import { Program, type Running } from './program.ts';

/** Electron with the programs that were bundled a moment ago, and the window of the Vite server. */
export function devElectronHost(root: string, binary: string, windowUrl: () => string): Program {
  return new Program(async (): Promise<Running | undefined> => {
    if (!(await bundlePrograms(root))) return undefined;
    const child = spawn(binary, [root], {
      env: { ...process.env, GATEHOUSE_DEV_URL: windowUrl() },
      stdio: ['ignore', 'inherit', 'inherit'],
      // A terminal would tell it to end as well, and told twice it would not end in order.
      detached: process.platform !== 'win32',
    });
    const spawned = once(child, 'spawn');
    return { child, begun: spawned.then(() => undefined) };
  });
}

async function bundlePrograms(root: string): Promise<boolean> {
  const out = join(root, 'out');
  // What `npm start` finds afterwards is not what it built.
  rmSync(stampPath(out), { force: true });
  try {
    await Promise.all([
      write(programConfig(root, join(out, 'main'), 'main')),
      write(programConfig(root, join(out, 'main'), 'ptc/parsing')),
      write(preloadConfig(root, join(out, 'preload'))),
    ]);
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return false;
  }
  copyBesides(root, join(out, 'main'));
  return true;
}
