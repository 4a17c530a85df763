import { controlVerb } from './cli/control.ts';
import { doctorVerb } from './cli/doctor.ts';
import { dataFolder } from './cli/home.ts';
import { runCommandLine } from './cli/commandLine.ts';
import { runVerb } from './cli/run.ts';
import { serveVerb } from './cli/serve.ts';
import { sessionsVerb } from './cli/sessions.ts';
import { showVerb } from './cli/show.ts';
import { endSignal } from './cli/signals.ts';
import { verifyVerb } from './cli/verify.ts';
import type { Io } from './cli/verb.ts';

const verbs = [serveVerb, runVerb, controlVerb, sessionsVerb, showVerb, verifyVerb, doctorVerb];

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  // Loaded only when a verb needs it: help and usage errors answer at once.
  openCore: async (options) => {
    const { createCore } = await import('./core.ts');
    return createCore({ ...options, home: dataFolder(process.env, process.platform) });
  },
  signal: endSignal(process),
};

// Everything is closed and flushed by now; whatever might still hold the process must not.
void runCommandLine(verbs, process.argv.slice(2), io).then((code) => process.exit(code));
