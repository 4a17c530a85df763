import type { SessionEvent } from '../../app/session/events.ts';
import { connect, withCore, type Client } from './client.ts';
import { print } from './print.ts';
import { tell } from './story.ts';
import { EXIT, only, parse, type Verb } from './verb.ts';

const PAGE = 500;

export const showVerb: Verb = {
  name: 'show',
  summary: 'print what happened in a Session',
  usage: `gatehouse show <session id> [--json]

  --json  one event a line, as JSON

Reads only: an interrupted Session is not recovered by it.`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean' } });
    const sessionId = only(positionals, 'the id of a Session');
    const line = values.json ? (event: SessionEvent) => JSON.stringify(event) : tell;
    await withCore(io, (core) => print(io.stdout, lines(connect(core, io), sessionId, line)));
    return EXIT.completed;
  },
};

async function* lines(
  client: Client,
  sessionId: string,
  toLine: (event: SessionEvent) => string | undefined,
): AsyncGenerator<string> {
  for (let from = 0; ; from += PAGE) {
    const { events } = await client.request('session.events', { sessionId, from, to: from + PAGE });
    if (events.length === 0) return;
    for (const event of events) {
      const line = toLine(event);
      if (line !== undefined) yield line;
    }
  }
}
