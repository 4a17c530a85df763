import type { Output } from '../../app/contract/requests.ts';
import { connect, withCore, type Client } from './client.ts';
import { columns, print, visible } from './print.ts';
import { EXIT, none, parse, type Verb } from './verb.ts';

type Row = Output<'session.list'>['sessions'][number];

export const sessionsVerb: Verb = {
  name: 'sessions',
  summary: 'list the Sessions',
  usage: `gatehouse sessions [--json]

  --json  one row a line, as JSON`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean' } });
    none(positionals);
    const rows = await withCore(io, (core) => all(connect(core, io)));
    await print(io.stdout, values.json ? rows.map((row) => JSON.stringify(row)) : table(rows));
    return EXIT.completed;
  },
};

async function all(client: Client): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page = await client.request('session.list', {});
  rows.push(...page.sessions);
  while (page.cursor !== undefined) {
    page = await client.request('session.list', { cursor: page.cursor });
    rows.push(...page.sessions);
  }
  return rows;
}

function table(rows: readonly Row[]): string[] {
  const cells = rows.map((row) => [
    row.sessionId,
    row.damaged ? 'damaged' : row.state,
    visible(row.preset),
    new Date(row.updated).toISOString(),
    visible(row.title),
    visible(row.workspace),
  ]);
  return columns([['SESSION', 'STATE', 'PRESET', 'UPDATED', 'TITLE', 'WORKSPACE'], ...cells]);
}
