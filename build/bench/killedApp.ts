import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import { Bubblewrap } from '../../main/sandbox/bubblewrap.ts';
import { policyOf } from './sandbox.ts';

// An app that runs a command in each of some Sessions, says so, and does nothing but live until it is killed.
const [folder = '', workspace = '', count = '1', ...argv] = process.argv.slice(2);
const [program, ...rest] = argv;
if (program === undefined) throw new Error('Nothing to run was named');
const provider = new Bubblewrap({
  home: join(folder, 'home'),
  instance: `bench-${process.pid}`,
  runtime: [],
  variables: process.env,
  userHome: homedir(),
});
const policy = await policyOf(workspace, folder);
for (let index = 0; index < Number(count); index += 1) {
  const request = {
    sessionId: `s_bench${index}` as SessionId,
    policy,
    cwd: workspace,
    argv: [program, ...rest] as const,
  };
  const started = await provider.launch(request, new AbortController().signal);
  if (started.kind === 'unavailable') throw new Error(started.message);
}
process.stdout.write('up\n');
setInterval(() => undefined, 1_000_000);
