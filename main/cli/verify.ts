import { connect, withCore } from './client.ts';
import { print, visible } from './print.ts';
import { EXIT, only, parse, type Verb } from './verb.ts';

export const verifyVerb: Verb = {
  name: 'verify',
  summary: 'check the log of a Session: its chain of hashes and its meaning',
  usage: `gatehouse verify <session id> [--json]

  --json  the whole answer as one line of JSON

Exit codes: 0 nothing wrong, 1 problems found.`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean' } });
    const sessionId = only(positionals, 'the id of a Session');
    const verdict = await withCore(io, (core) => connect(core, io).request('session.verify', { sessionId }));
    const { ok, checked, problems } = verdict;
    const told = problems.map(({ seq, rule, message }) => `event ${seq}: ${rule}: ${visible(message)}`);
    const end = ok ? `ok: ${checked} events` : `${problems.length} problems in ${checked} events`;
    await print(io.stdout, values.json ? [JSON.stringify(verdict)] : [...told, end]);
    return ok ? EXIT.completed : EXIT.failed;
  },
};
