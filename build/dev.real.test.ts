import { on, once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { killGroup, plantProduct, startScript } from './tree.fixture.ts';

// Speaks to its terminal as `serve` does, and leaves a trace of each of its starts.
const serve = `import { appendFileSync } from 'node:fs';
import { core } from './core.ts';

let links = 0;
const link = (): void => console.log('http://127.0.0.1:1/#token=' + core() + String((links += 1)));
process.on('SIGTERM', () => process.exit(0));
link();
process.on('SIGUSR2', link);
setInterval(() => undefined, 1_000);
appendFileSync('starts', core() + ' ' + process.pid + '\\n');
console.error('Ctrl+C ends it.');
`;
const core = (name: string): string => `export const core = (): string => '${name}';\n`;

interface Start {
  readonly core: string;
  readonly pid: number;
}

function startsIn(tree: string): readonly Start[] {
  if (!existsSync(join(tree, 'starts'))) return [];
  const lines = readFileSync(join(tree, 'starts'), 'utf8').trim().split('\n');
  return lines.map((line) => ({ core: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[1]) }));
}

function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;
}

/** The connection over which Vite tells a window what has changed. */
async function openWindow(origin: string) {
  const script = await (await fetch(new URL('/@vite/client', origin))).text();
  const token = /wsToken = "([^"]+)"/.exec(script)?.[1];
  const socket = new WebSocket(`${origin.replace('http', 'ws')}?token=${token}`, 'vite-hmr');
  onTestFinished(() => socket.close());
  const messages = on(socket, 'message');
  await once(socket, 'open');
  return {
    say: (event: string, data: unknown) => socket.send(JSON.stringify({ type: 'custom', event, data })),
    hear: async (event: string): Promise<unknown> => {
      for (;;) {
        const [message] = (await messages.next()).value as [{ readonly data: string }]; // the one argument of an EventTarget
        const heard = JSON.parse(message.data) as { readonly event?: string; readonly data?: unknown }; // Vite's
        if (heard.event === event) return heard.data;
      }
    },
  };
}

it('serves the window from its sources, and starts the program anew when one of its sources has changed', async () => {
  const tree = plantProduct({ 'main/serve.ts': serve, 'main/core.ts': core('one') });
  onTestFinished(() => startsIn(tree).forEach(({ pid }) => killGroup(pid)));
  const dev = startScript(tree, 'dev.ts', ['browser'], {});
  const lines = createInterface({ input: dev.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);

  expect(await next()).toBe('Ctrl+C ends it.');
  const link = /^Window from the sources: (http:\/\/127\.0\.0\.1:\d+\/)#token=one1&dev=([\w-]{43})$/.exec(await next());
  const [, origin = '', secret = ''] = link ?? [];
  expect(await (await fetch(origin)).text()).toContain('/@gatehouse/dev-window.js');
  const window = await openWindow(origin);

  writeFileSync(join(tree, 'main/core.ts'), core('two'));
  expect(await next()).toMatch(/^main\/core\.ts: started anew in/);
  await expect.poll(() => startsIn(tree).map((start) => start.core), { timeout: 10_000 }).toEqual(['one', 'two']);
  expect(await window.hear('gatehouse:restarted')).toBeUndefined();
  const other = await openWindow(origin);
  other.say('gatehouse:let-in', { secret: 'guessed' });
  other.say('gatehouse:let-in', { secret });
  expect(await other.hear('gatehouse:link')).toEqual({ hash: '#token=two1' });
  // Had the guess been given a link as well, this would be the third.
  window.say('gatehouse:let-in', { secret });
  expect(await window.hear('gatehouse:link')).toEqual({ hash: '#token=two2' });

  const [first, second] = startsIn(tree);
  expect([isAlive(first?.pid), isAlive(second?.pid)]).toEqual([false, true]);

  const exit = once(dev, 'exit');
  dev.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(isAlive(second?.pid)).toBe(false);
}, 60_000);
