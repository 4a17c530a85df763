import { CONFINED, tries, type Finding } from './escapeTries.fixture.ts';
import { Jail } from './prison.fixture.ts';

/** Runs the whole escape table as whoever runs this, one JSON line for each try. */
async function runTable(): Promise<void> {
  const jail = await Jail.open();
  try {
    for (const mode of CONFINED) {
      for (const attempt of tries) {
        const argv = attempt.argv(jail.prison, process.execPath);
        const { output, exitCode, broken } = await jail.try(mode, argv, attempt.unixSockets);
        const held = broken.length === 0 && (attempt.escape.held?.({ output, exitCode }) ?? true);
        const finding: Finding = { mode, name: attempt.name, held, exitCode, broken, output: output.slice(-500) };
        process.stdout.write(`${JSON.stringify(finding)}\n`);
      }
    }
  } finally {
    await jail.close();
  }
}

/** The same probes with nothing around them: each must change the watched world, or it proves nothing. */
async function runControls(): Promise<void> {
  for (const attempt of tries.filter(({ escape }) => escape.bites)) {
    const jail = await Jail.open();
    try {
      const argv = attempt.argv(jail.prison, process.execPath);
      const { output, exitCode, broken } = await jail.try('danger-full-access', argv);
      const finding: Finding = {
        mode: 'danger-full-access',
        name: attempt.name,
        held: broken.length === 0,
        exitCode,
        broken,
        output,
      };
      process.stdout.write(`${JSON.stringify(finding)}\n`);
    } finally {
      await jail.close();
    }
  }
}

await (process.argv[2] === 'controls' ? runControls() : runTable());
