// A process with a guardian and two programs that would outlive it: one of its own, one of somebody else. Told by pid.
import { spawn } from 'node:child_process';
import { MARK } from '../process/tree.ts';
import { startGuardian } from './guardian.ts';

startGuardian('mine', () => undefined);
const pids = ['mine', 'mine2'].map((instance) => {
  const env = { [MARK]: `${instance}.x` };
  const child = spawn('/bin/sleep', ['60'], { env, stdio: 'ignore', detached: true });
  return child.pid;
});
process.stdout.write(`${JSON.stringify(pids)}\n`);
setInterval(() => undefined, 60_000);
