// A client of `gatehouse control` in one page: requests and replies are JSON lines, pushes come in between.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts Gatehouse from this checkout with its data in `home`. */
export function startControl(home) {
  const cwd = join(import.meta.dirname, '..', '..');
  const options = { cwd, env: { ...process.env, GATEHOUSE_HOME: home }, stdio: ['pipe', 'pipe', 'inherit'] };
  const child = spawn('npm', ['run', '-s', 'gatehouse', '--', 'control'], options);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const gone = ended.then((code) => Promise.reject(new Error(`Gatehouse ended with exit code ${code}`)));
  gone.catch(() => {});
  const pushes = [];
  const waiting = new Map();
  let wake = () => {};
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.push) pushes.push(message);
    else waiting.get(message.id)?.(message);
    wake();
  });
  return {
    /** The output of one request; throws with its code where it is refused. */
    async request(request, input = {}) {
      last += 1;
      child.stdin.write(`${JSON.stringify({ id: last, request, input })}\n`);
      const reply = await Promise.race([new Promise((resolve) => waiting.set(last, resolve)), gone]);
      if (!reply.ok) throw Object.assign(new Error(reply.message), { code: reply.code });
      return reply.output;
    },
    /** The data of the first push, of those that came and those to come, that fits. */
    async push(name, fits = () => true) {
      for (;;) {
        const found = pushes.find(({ push, data }) => push === name && fits(data));
        if (found) return found.data;
        await Promise.race([new Promise((resolve) => (wake = resolve)), gone]);
      }
    },
    /** Ends the input: Gatehouse closes everything and leaves nothing running. Resolves with its exit code. */
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
