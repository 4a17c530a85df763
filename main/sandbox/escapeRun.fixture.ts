import { Agent } from './escapeAgent.fixture.ts';
import { CONFINED, END, tries, triesOf, WAYS, type Finding, type Try, type Way } from './escapeTries.fixture.ts';
import { Jail, type Sentence } from './prison.fixture.ts';

/** Runs the whole escape table as whoever runs this, one JSON line for each try; the Modes beside each other. */
async function runWay(way: Way): Promise<void> {
  await Promise.all(CONFINED.map((mode) => runMode(way, mode)));
}

async function runMode(way: Way, mode: (typeof CONFINED)[number]): Promise<void> {
  const jail = await Jail.open();
  const agent = new Agent(jail, mode);
  const means = {
    table: (attempt: Try) => jail.try(mode, argvOf(attempt, jail), attempt.unixSockets),
    bash: (attempt: Try) => agent.bash(attempt),
    programs: (attempt: Try) => agent.program(attempt),
  };
  try {
    for (const attempt of triesOf(way)) {
      const sentence = await means[way](attempt);
      const held = sentence.broken.length === 0 && (attempt.escape.held?.(sentence) ?? true);
      report({ mode, name: attempt.name, held, ...sentence });
    }
    const end = await agent.end();
    report({ mode, name: END, held: end.broken.length === 0, ...end });
  } finally {
    await agent.end();
    await jail.close();
  }
}

/** The same probes with nothing around them: each must change the watched world, or it proves nothing. */
async function runControls(): Promise<void> {
  for (const attempt of tries.filter(({ escape }) => escape.bites)) {
    const jail = await Jail.open();
    try {
      const sentence: Sentence = await jail.try('danger-full-access', argvOf(attempt, jail));
      report({ mode: 'danger-full-access', name: attempt.name, held: sentence.broken.length === 0, ...sentence });
    } finally {
      await jail.close();
    }
  }
}

function argvOf({ language, text }: Try, { prison }: Jail): readonly [string, ...string[]] {
  return language === 'sh' ? ['bash', '-c', text(prison)] : [process.execPath, '-e', text(prison)];
}

function report(finding: Finding): void {
  process.stdout.write(`${JSON.stringify({ ...finding, output: finding.output.slice(-500) })}\n`);
}

const what = process.argv[2];
await (what === 'controls' ? runControls() : runWay(WAYS.find((way) => way === what) ?? 'table'));
