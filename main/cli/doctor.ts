import { connect, withCore } from './client.ts';
import { print } from './print.ts';
import { EXIT, none, parse, type Verb } from './verb.ts';

export const doctorVerb: Verb = {
  name: 'doctor',
  summary: 'check what this machine can enforce',
  usage: `gatehouse doctor [--json]

  --json  one check a line, as JSON

Exit codes: 0 everything is there, 1 something is missing.`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean' } });
    none(positionals);
    const { checks } = await withCore(io, (core) => connect(core, io).request('doctor.run', {}));
    const told = checks.map(({ name, ok, message, remedy }) => {
      const line = `${ok ? 'ok     ' : 'MISSING'} ${name}: ${message}`;
      return remedy === undefined ? line : `${line}\n        ${remedy}`;
    });
    await print(io.stdout, values.json ? checks.map((check) => JSON.stringify(check)) : told);
    return checks.every((check) => check.ok) ? EXIT.completed : EXIT.failed;
  },
};
