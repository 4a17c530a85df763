import { join } from 'node:path';
import { Bubblewrap } from '../sandbox/bubblewrap.ts';
import { never, policyFor, session } from '../sandbox/world.fixture.ts';
import type { Mode } from '../../app/sandbox/mode.ts';

/** An app that starts something in each Mode that it is told, says its instance, and ends by an error when told so. */
const [, , base = '', ...modes] = process.argv;
const instance = `app-${process.pid}`;
const provider = new Bubblewrap({
  home: join(base, 'home'),
  instance,
  runtime: [],
  variables: process.env,
  userHome: join(base, 'user'),
});
for (const mode of modes) {
  // The test names Modes only.
  const policy = policyFor(join(base, 'ws'), mode as Mode);
  const script = `setsid --fork tail -f /dev/null ${base}/alive; exec sleep 600`;
  const request = { sessionId: session('s1'), policy, argv: ['sh', '-c', script], cwd: '/' } as const;
  const started = await provider.launch(request, never);
  if (started.kind === 'unavailable') throw new Error(started.message);
}
process.stdout.write(`${instance}\n`);
process.stdin.once('data', () => {
  throw new Error('uncaught');
});
