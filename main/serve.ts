import { runCommandLine } from './cli/commandLine.ts';
import { dataFolder } from './cli/home.ts';
import { serveVerb } from './cli/serve.ts';
import { endSignal } from './cli/signals.ts';
import type { Io } from './cli/verb.ts';

// The browser host as a program of its own, for a start that needs no other verb: `gatehouse serve` is the same.

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  openCore: async (options) => {
    const { createCore } = await import('./core.ts');
    return createCore({ ...options, home: dataFolder(process.env, process.platform) });
  },
  signal: endSignal(process),
};

void runCommandLine([serveVerb], ['serve', ...process.argv.slice(2)], io).then((code) => {
  // Everything is closed by now, so nothing holds the process.
  process.exitCode = code;
});
