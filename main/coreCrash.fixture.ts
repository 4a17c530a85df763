// A process with a core at work that ends by an error nobody catches: a command, a program and its child are running.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCore } from './core.ts';
import { until } from './process/until.ts';

const [home = '', workspace = '', preset = ''] = process.argv.slice(2);
const core = await createCore({ home });
const script = `${home}.json`;
const code =
  "require('child_process').spawn('sleep', ['975'], { detached: true }); require('fs').writeFileSync('program.txt', ''); for (;;) {}";
const calls = [
  [
    {
      id: 'a',
      tool: 'bash',
      input: { command: 'setsid sleep 975 & while :; do echo x >> grows.txt; sleep 0.01; done' },
    },
  ],
  [{ id: 'b', tool: 'run_code', input: { title: 'b', code } }],
];
for (const [index, each] of calls.entries()) {
  await writeFile(script, JSON.stringify({ answers: [{ calls: each }] }));
  const { sessionId } = await core.sessions.create({ workspace, preset, agent: `script:${script}` }, { door: 'test' });
  await core.sessions.prompt({ sessionId, text: 'Go' });
  await until(() => existsSync(join(workspace, index === 0 ? 'grows.txt' : 'program.txt')), 10_000);
}
process.stdout.write('running\n', () => {
  throw new Error('uncaught');
});
