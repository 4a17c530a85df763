import { RequestError } from '../../app/contract/reply.ts';
import { logFault } from '../base/logFault.ts';
import { print } from './print.ts';
import { EXIT, UsageError, type ExitCode, type Io, type Verb } from './verb.ts';

/** Runs one verb and says what the process ends with. Never rejects. */
export async function runCommandLine(verbs: readonly Verb[], argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = argv;
  const verb = verbs.find((candidate) => candidate.name === name);
  try {
    if (name === undefined) throw new UsageError('Missing a verb');
    if (asksForHelp(verb ? rest : argv)) {
      await print(io.stdout, [verb?.usage ?? overview(verbs)]);
      return EXIT.completed;
    }
    if (!verb) throw new UsageError(`Unknown verb: ${name}`);
    return await verb.run(rest, io);
  } catch (fault) {
    return fail(fault, verb?.usage ?? overview(verbs), io);
  }
}

/** After `--` everything is an argument. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}

function fail(fault: unknown, usage: string, io: Io): ExitCode {
  if (fault instanceof UsageError) {
    io.stderr.write(`gatehouse: ${fault.message}\n\n${usage}\n`);
    return EXIT.usage;
  }
  if (fault instanceof RequestError) io.stderr.write(`gatehouse: ${fault.message} (${fault.code})\n`);
  else logFault(io.stderr, fault);
  return EXIT.failed;
}

function overview(verbs: readonly Verb[]): string {
  const width = Math.max(...verbs.map((verb) => verb.name.length));
  const lines = verbs.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`);
  return `gatehouse <verb> [options]

${lines.join('\n')}

gatehouse <verb> --help says more. GATEHOUSE_HOME names the data folder.`;
}
