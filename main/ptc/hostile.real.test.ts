import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../app/base/json.ts';
import { isAlive } from '../process/identity.ts';
import { NEVER, World, type TestSession } from './world.fixture.ts';

let world: World;
beforeAll(async () => (world = await World.open()));
afterAll(() => world.close());

let count = 0;
const fresh = (): Promise<TestSession> => world.session(`s_${(count += 1)}`);

describe('a hostile program', () => {
  it.each([
    ['an end of its own run', '{"t":"done","cell":1,"token":"guess","kind":"value","value":"forged"}'],
    ['an end of a later run', '{"t":"done","cell":2,"token":"guess","kind":"value","value":"forged"}'],
    ['a call', '{"t":"call","cell":1,"token":"guess","call":1,"tool":"echo","value":"forged"}'],
    ['no JSON', 'nonsense'],
    ['an unknown frame', '{"t":"reply","call":1}'],
    ['an array', '[1]'],
    ['an empty line', ''],
    ['a member of the wrong type', '{"t":"log","cell":"1","stream":"log","text":"x"}'],
    ['a member of the prototype', '{"t":"log","cell":1,"stream":"log","__proto__":{"text":"x"}}'],
    ['a depth bomb', '['.repeat(100_000)],
  ])('PTC-10: that forges %s gets nothing by it, and the app goes on', async (_name, line) => {
    const session = await fresh();
    const environment = await session.acquire();
    const calls: Json[] = [];
    const call = (_tool: string, input: Json) => (calls.push(input), Promise.resolve({ ok: true, value: 1 } as const));
    const code = `require('node:fs').writeSync(3, ${JSON.stringify(`${line}\n`)}); await new Promise(() => {})`;
    const completion = await session.runIn(environment, code, { bridge: { call } });
    expect(completion).toMatchObject({ kind: 'lost', reason: 'crash', kept: false });
    expect(completion.late.join()).toMatch(/the process was ended because it (sent|used|spoke)/);
    expect(calls).toEqual([]);
    expect(isAlive(environment.process)).toBe(false);
    expect(await session.value('"clean"')).toBe('clean');
  });

  it('PTC-10: that sends a frame without end is ended at the cap', async () => {
    const session = await fresh();
    const code = "const part = 'x'.repeat(65536); for (;;) try { require('node:fs').writeSync(3, part) } catch {}";
    expect(await session.run(code)).toMatchObject({ kind: 'lost', reason: 'crash' });
  });

  it.each([
    ['closes its channel', "require('node:fs').closeSync(3)"],
    ['closes both descriptors', "const fs = require('node:fs'); fs.closeSync(4); fs.closeSync(3)"],
    [
      'puts a file in place of its channel',
      "const fs = require('node:fs'); fs.closeSync(3); fs.openSync('taken', 'w')",
    ],
    [
      'puts /dev/null in place of both',
      "const fs = require('node:fs'); fs.closeSync(3); fs.closeSync(4); fs.openSync('/dev/null', 'w'); fs.openSync('/dev/null', 'w')",
    ],
    [
      'gives its channel to a child',
      `await new Promise((done) => require('node:child_process')
      .spawn('sh', ['-c', 'echo forged >&3'], { stdio: ['ignore', 'ignore', 'ignore', 3] }).on('exit', done))`,
    ],
  ])('PTC-10: that %s has no result, and the app goes on', async (_name, code) => {
    const session = await fresh();
    const environment = await session.acquire();
    expect(await session.runIn(environment, `${code}; 'its own'`)).toMatchObject({ kind: 'lost', kept: false });
    expect(isAlive(environment.process)).toBe(false);
    expect(await session.value('"clean"')).toBe('clean');
  });

  it.each([
    [
      'writes garbage to the watchdog’s descriptor',
      "require('node:fs').writeSync(4, 'x'.repeat(1000) + '\\n{\"cell\":1}\\n')",
    ],
    ['closes the watchdog’s descriptor', "require('node:fs').closeSync(4)"],
    ['puts a file in its place', "const fs = require('node:fs'); fs.closeSync(4); fs.openSync('watch', 'w')"],
  ])('that %s has its result, and is ended when it is stopped', async (_name, code) => {
    const session = await fresh();
    const environment = await session.acquire();
    expect(await session.runIn(environment, `${code}; 'kept'`)).toMatchObject({ kind: 'value', value: 'kept' });
    const controller = new AbortController();
    const call = async () => (setImmediate(() => controller.abort()), { ok: true, value: 0 } as const);
    const bridge = { tools: ['ready'], call };
    const stopped = await session.runIn(environment, 'void tools.ready(0); for (;;) {}', {
      signal: controller.signal,
      bridge,
    });
    expect(['stopped', 'lost']).toContain(stopped.kind);
    expect(isAlive(environment.process)).toBe(stopped.kept);
    expect(await session.value('"clean"')).toBe('clean');
  });

  it('PTC-10: cannot end a later program from a timer, though it may guess everything but the token', async () => {
    const session = await fresh();
    const forge = `for (let cell = 1; cell < 5; cell++) require('node:fs').writeSync(3, JSON.stringify({ t: 'done', cell, token: '', kind: 'value', value: 'forged' }) + '\\n')`;
    await session.run(`setTimeout(() => { ${forge} }, 20)`);
    expect(await session.run('await new Promise((r) => setTimeout(r, 1e6)); "own"')).toMatchObject({
      kind: 'lost',
      reason: 'crash',
    });
  });

  it('that replaces what the kernel uses harms only itself', async () => {
    const session = await fresh();
    await session.run(`JSON.stringify = () => '{"t":"done"}'; JSON.parse = () => { throw 1 }; require('node:fs').writeSync = () => 0;
      Promise.prototype.then = null; globalThis.setImmediate = null; Reflect.ownKeys = null; 0`);
    expect(await session.run('"after"')).toMatchObject({ kind: 'value', value: 'after' });
  });

  it('that removes every listener of the process does not die of a late rejection', async () => {
    const session = await fresh();
    const first = await session.run(
      'process.removeAllListeners(); process.stdin.on("error", () => {}); setTimeout(() => Promise.reject(new Error("late")), 1); 0',
    );
    const completion = await session.run('await new Promise((r) => setTimeout(r, 50)); "alive"');
    expect(completion).toMatchObject({ kind: 'value', value: 'alive' });
    // It comes with whichever of the two it met: a loaded machine may take longer than the timer to end the first.
    expect([...first.late, ...completion.late]).toEqual([expect.stringContaining('late')]);
  });

  it('that makes more calls than anyone can answer is not a fault of the app', async () => {
    const session = await fresh();
    const code = 'const all = await Promise.all(Array.from({ length: 5000 }, (_, i) => tools.echo(i))); all.at(-1)';
    expect(await session.value(code)).toBe(4999);
  });
});

describe('a kernel', () => {
  it('gives its descriptors to no child', async () => {
    const session = await fresh();
    const listing = 'require("node:child_process").execFileSync("sh", ["-c", "ls -l /proc/$$/fd"]).toString()';
    const links = JSON.stringify(await session.value(listing))
      .split('\\n')
      .flatMap((line) => /(\d+) -> (\S+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
    expect(links.filter((link) => Number(link.split(' ')[0]) > 2)).toEqual([]);
    expect(links).not.toEqual([]);
  });

  it('has none of the app’s own switches in what the program sees', async () => {
    const session = await fresh();
    const seen = await session.value(
      '[process.env.ELECTRON_RUN_AS_NODE === undefined, process.argv.length, process.env.NODE_OPTIONS === undefined]',
    );
    expect(seen).toEqual([true, 1, true]);
  });

  it('runs children of its own executable as Node where that needs a switch, and hides the switch', async () => {
    const electron = await World.open({ runtime: { argv: [process.execPath], env: { ELECTRON_RUN_AS_NODE: '1' } } });
    try {
      const session = await electron.session();
      const code = `const { execFileSync, spawnSync } = require('node:child_process'); const print = 'process.stdout.write(String(process.env.ELECTRON_RUN_AS_NODE))';
        const own = await new Promise((done) => require('node:child_process').execFile(process.execPath, ['-e', print], (_, out) => done(out)));
        [process.env.ELECTRON_RUN_AS_NODE === undefined, own, execFileSync(process.execPath, ['-e', print]).toString(),
          spawnSync('sh', ['-c', 'echo $ELECTRON_RUN_AS_NODE']).stdout.toString().trim()]`;
      expect(await session.value(code)).toEqual([true, '1', '1', '']);
    } finally {
      await electron.close();
    }
  });

  it.each([
    ['retained', 'agent'],
    ['temporary', null],
  ])('ends when its channel ends: %s', async (_name, owner) => {
    const processes: { destroy(): void; gone: Promise<unknown> }[] = [];
    const cut = await World.open({
      around: (real) => ({
        launch: async (request, signal) => {
          const process = await real.launch(request, signal);
          if (process.kind === 'process')
            processes.push({ destroy: () => process.channels[0]?.destroy(), gone: process.exited });
          return process;
        },
      }),
    });
    try {
      const session = await cut.session();
      const environment = await session.acquire({ owner });
      processes[0]?.destroy();
      await processes[0]?.gone;
      expect(await session.runIn(environment, '1')).toMatchObject({ kind: 'lost', reason: 'crash' });
    } finally {
      await cut.close();
    }
  });

  it('is ended by the watchdog when that channel ends, however busy the program is', async () => {
    const ends: (() => void)[] = [];
    const cut = await World.open({
      around: (real) => ({
        launch: async (request, signal) => {
          const process = await real.launch(request, signal);
          if (process.kind === 'process') ends.push(() => process.channels[1]?.destroy());
          return process;
        },
      }),
    });
    try {
      const session = await cut.session();
      const call = () => (setImmediate(() => ends[0]?.()), Promise.resolve({ ok: true, value: 0 } as const));
      expect(await session.run('void tools.echo(0); for (;;) {}', { bridge: { call } })).toMatchObject({
        kind: 'lost',
        reason: 'crash',
      });
    } finally {
      await cut.close();
    }
  });

  it('PTC-18: that cannot be started is a refusal with what there is to do', async () => {
    const missing = await World.open({ runtime: { argv: ['/nowhere/node'] } });
    try {
      const session = await missing.session();
      const refused = await session.environments.acquire(await session.request(), NEVER);
      expect(refused).toMatchObject({ kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', remedy: expect.any(String) });
      expect(await missing.nodes.prepare('1', NEVER)).toMatchObject({ kind: 'program' });
    } finally {
      await missing.close();
    }
  });

  it('leaves nothing in the workspace', async () => {
    const session = await fresh();
    await session.value('1');
    expect(await readdir(session.workspace)).toEqual([]);
  });

  it('sees its script and nothing of it can be written', async () => {
    const session = await fresh();
    const script = join(import.meta.dirname, 'kernel.cjs');
    const before = await readFile(script, 'utf8');
    expect(
      await session.value(
        `try { require('node:fs').appendFileSync(${JSON.stringify(script)}, 'x'); 0 } catch (e) { e.code }`,
      ),
    ).toBe('EROFS');
    expect(await readFile(script, 'utf8')).toBe(before);
  });
});
