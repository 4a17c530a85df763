import { control } from '../control.ts';
import { createHandlers } from '../handlers.ts';
import { logFault } from '../base/logFault.ts';
import { controlHost } from '../host/controlHost.ts';
import { EXIT, none, parse, type Verb } from './verb.ts';

export const controlVerb: Verb = {
  name: 'control',
  summary: 'serve requests as JSON lines on stdin and stdout',
  usage: `gatehouse control

Reads one request a line: {"id": 1, "request": "session.list", "input": {}}
Writes replies and pushes, one a line. Ends with its input, a closed stdout, SIGTERM or SIGINT,
and leaves nothing running. It is an answerer of approvals while it lives.`,

  async run(argv, io) {
    none(parse(argv, {}).positionals);
    const core = await io.openCore();
    const onFault = (fault: unknown): void => logFault(io.stderr, fault);
    const handlers = createHandlers(core, controlHost(core.home));
    await control({ input: io.stdin, output: io.stdout, core, handlers, onFault }, io.signal);
    return EXIT.completed;
  },
};
